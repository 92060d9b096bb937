import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { peopleWithin } from '../../scripts/free-plan.ts'
import { costOf, PRICES, useOf } from '../../scripts/list-price.ts'
import { withTables } from '../../scripts/performance-page.ts'
import { PROJECT } from '../../scripts/project.ts'

it('the tables of docs/performance.md are those of the counted and measured figures (npm run performance)', () => {
  const page = readFileSync(join(PROJECT, 'docs/performance.md'), 'utf8')
  expect(page).toBe(withTables(page))
})

it('usage within the plan is free, and the rest costs its price', () => {
  const included = Object.fromEntries(
    Object.entries(PRICES).map(([kind, price]) => [kind, price.included]),
  ) as ReturnType<typeof useOf>
  expect(Object.values(costOf(included)).every((cost) => cost === 0)).toBe(true)
  expect(costOf({ ...included, rowsWritten: included.rowsWritten + 2e6 }).rowsWritten).toBe(2)
  expect(useOf(200).workerRequests).toBe(2 * useOf(100).workerRequests)
})

it('the free plan is enough for 150 people who hear events by streams', () => {
  for (const limit of [
    'workerRequests',
    'objectRequests',
    'rowsRead',
    'rowsWritten',
    'd1Read',
    'd1Written',
  ] as const) {
    const people = peopleWithin(limit, 'streams')
    expect(people).toBeGreaterThanOrEqual(150)
    expect(useOf(people + 1, 'streams')[limit]).toBeGreaterThan(useOf(people, 'streams')[limit])
    expect(peopleWithin(limit, 'polls')).toBeLessThanOrEqual(people)
  }
})
