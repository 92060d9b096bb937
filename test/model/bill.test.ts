import { expect, it } from 'vitest'
import { sample } from '../../src/core/metrics.ts'
import { billOf, firstDayOfBill } from '../../src/model/cost/bill.ts'

const NOTHING = { object: 0, d1: 0, files: 0 }
const at = (time: string) => Date.parse(time) / 1_000
const WRITTEN = sample('object_rows_total', { rows: 'written' })

function lineOf(bill: ReturnType<typeof billOf>, kind: string) {
  return bill.lines.find((line) => line.kind === kind)!
}

it('rows, requests and mails cost what the list of prices says', () => {
  const counts = {
    [WRITTEN]: 2e6,
    [sample('requests_total', { kind: 'send', status: '2xx' })]: 600_000,
    [sample('requests_total', { kind: 'poll', status: '2xx' })]: 400_000,
    [sample('deliveries_total', { kind: 'mail', outcome: 'ok' })]: 1_000,
    [sample('deliveries_total', { kind: 'mail', outcome: 'failed' })]: 500,
  }
  const bill = billOf([{ period: '2026-11-30', counts }], NOTHING, at('2026-11-30T12:00:00Z'))
  expect(lineOf(bill, 'rowsWritten')).toMatchObject({ used: 2e6, dollars: 2 })
  expect(lineOf(bill, 'workerRequests')).toMatchObject({ used: 1e6, dollars: expect.closeTo(0.3, 9) })
  expect(bill.lines[0]!.kind).toBe('rowsWritten')
  expect(lineOf(bill, 'mails')).toMatchObject({ used: 1_000, dollars: expect.closeTo(0.35, 9) })
  expect(bill.dollars).toBeCloseTo(2 + 0.3 + 0.02 + 0.35, 9)
  expect(bill.month).toBe('2026-11')
})

it('days of the month before count for the forecast alone', () => {
  const days = ['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01'].map((period) => ({
    period,
    counts: { [WRITTEN]: 1e6 },
  }))
  const bill = billOf(days, NOTHING, at('2026-12-02T00:00:00Z'))
  expect(lineOf(bill, 'rowsWritten').dollars).toBe(1)
  // 30 further days like the four of four days and a quarter of one.
  expect(bill.forecastDollars).toBeCloseTo(1 + (30 * 4) / 4.25, 6)
  expect(firstDayOfBill(at('2026-12-02T00:00:00Z'))).toBe('2026-11-25')
  expect(firstDayOfBill(at('2026-12-20T00:00:00Z'))).toBe('2026-12-01')
})

it('storage costs by the part of the month that has passed', () => {
  const stored = { object: 10_000, d1: 0, files: 1_000 }
  const bill = billOf([], stored, at('2026-11-16T00:00:00Z'))
  expect(lineOf(bill, 'objectMegabytes')).toMatchObject({ used: 5_000, dollars: 1 })
  expect(lineOf(bill, 'objectMegabytes').forecastDollars).toBeCloseTo(2, 9)
  expect(lineOf(bill, 'fileMegabytes').forecastDollars).toBeCloseTo(0.015, 9)
})

it('the first minutes of an organization are no measure of its month', () => {
  const days = [{ period: '2026-11-01', counts: { [WRITTEN]: 1e6 } }]
  const bill = billOf(days, NOTHING, at('2026-11-01T00:01:00Z'))
  expect(bill.forecastDollars).toBeLessThan(1 + 30 * 4 + 1e-6)
})
