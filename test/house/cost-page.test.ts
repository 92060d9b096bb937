import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { costPage } from '../../scripts/cost-page.ts'
import { PROJECT } from '../../scripts/project.ts'
import { dearestOperations, runawayDay } from '../../scripts/runaway-client.ts'

it('docs/cost.md has the tables of prices and of the simulation (npm run pages)', () => {
  const page = readFileSync(join(PROJECT, 'docs/cost.md'), 'utf8')
  expect(page).toBe(costPage(page))
})

it('one runaway client costs more than any operation alone, and a bounded sum', () => {
  const { lines, dollars } = runawayDay()
  expect(dollars).toBeCloseTo(
    lines.reduce((sum, line) => sum + line.dollars, 0),
    9,
  )
  const [dearest, next] = dearestOperations()
  expect(dearest!.dollars).toBeGreaterThanOrEqual(next!.dollars)
  expect(dollars).toBeGreaterThan(dearest!.dollars)
  expect(dollars).toBeLessThan(100)
})
