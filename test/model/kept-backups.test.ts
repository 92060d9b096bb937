import { expect, it } from 'vitest'
import { keptBackups } from '../../src/model/backups/kept-backups.ts'
import { DAY } from '../support/times.ts'

const NOW = Date.parse('2026-11-30T03:00:00Z') / 1_000
/** One backup each night, the id being the days before now. */
const nightly = (days: number) => Array.from({ length: days }, (_, id) => ({ id, takenAt: NOW - id * DAY }))

it('the newest of 7 days, 4 weeks and 12 months are kept', () => {
  const days = [...keptBackups(nightly(500))].map((id) =>
    new Date((NOW - id * DAY) * 1_000).toISOString().slice(0, 10),
  )
  expect(days.sort().reverse()).toEqual([
    ...['2026-11-30', '2026-11-29', '2026-11-28', '2026-11-27', '2026-11-26', '2026-11-25', '2026-11-24'],
    // Sundays, at which weeks end.
    ...['2026-11-22', '2026-11-15'],
    ...[
      '2026-10-31',
      '2026-09-30',
      '2026-08-31',
      '2026-07-31',
      '2026-06-30',
      '2026-05-31',
      '2026-04-30',
      '2026-03-31',
    ],
    ...['2026-02-28', '2026-01-31', '2025-12-31'],
  ])
})

it('of several of one day, the newest is kept', () => {
  expect([...keptBackups([1, 2, 3].map((id) => ({ id, takenAt: NOW + id * 60 })))]).toEqual([3])
})

it('old ones stay where there are no newer ones', () => {
  expect(keptBackups(nightly(3).map(({ id, takenAt }) => ({ id, takenAt: takenAt - 400 * DAY }))).size).toBe(
    3,
  )
})
