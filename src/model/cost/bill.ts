import { type Counts, sample } from '../../core/metrics.ts'
import { beginOfMonth, DAY } from '../../core/time.ts'
import { CPU_MS, OBJECT_GB, PRICES, type UseKind } from './prices.ts'

type Use = Readonly<Record<UseKind, number>>

/** The usage of one day, in UTC. */
export interface DayOfUse {
  readonly period: string
  readonly counts: Readonly<Counts>
}

/** Megabytes that are stored now. */
export interface Stored {
  readonly object: number
  readonly d1: number
  readonly files: number
}

interface CostLine {
  readonly kind: UseKind
  readonly used: number
  /** At list price, as if the plan included nothing. */
  readonly dollars: number
  readonly forecastDollars: number
}

export interface Bill {
  /** `2026-11`, in UTC. */
  readonly month: string
  /** The dearest first. */
  readonly lines: readonly CostLine[]
  readonly dollars: number
  readonly forecastDollars: number
}

/** Whole days before today by which the rest of the month is forecast. */
const DAYS_OF_FORECAST = 7

/** Part of a day that counts as begun: a forecast from the first minutes of a day would be a guess. */
const SHORTEST_DAY = 0.25

/**
 * Returns what this month costs, and what it will have cost at its end if each further day is like the last ones.
 * @param days of this month, and the last before it; the first first
 * @param now UNIX seconds
 */
export function billOf(days: readonly DayOfUse[], stored: Stored, now: number): Bill {
  const { month, today, passed, length } = monthAt(now)
  const ofMonth = useOf(days.filter(({ period }) => period.startsWith(month)))
  const last = days.filter(({ period }) => period >= dayBefore(today, DAYS_OF_FORECAST))
  const daysOfLast = wholeDays(last, today) + Math.max(passed % 1, SHORTEST_DAY)
  const ofLast = useOf(last)
  const lines = (Object.keys(PRICES) as UseKind[]).map((kind): CostLine => {
    const megabytes = megabytesOf(kind, stored)
    // Storage costs by the time for which it is used.
    const used = megabytes === undefined ? ofMonth[kind] : (megabytes * passed) / length
    const aDay = megabytes === undefined ? ofLast[kind] / daysOfLast : megabytes / length
    const price = PRICES[kind].perMillion / 1e6
    return { kind, used, dollars: used * price, forecastDollars: (used + aDay * (length - passed)) * price }
  })
  return {
    month,
    lines: lines.sort((a, b) => b.dollars - a.dollars),
    dollars: sum(lines.map(({ dollars }) => dollars)),
    forecastDollars: sum(lines.map(({ forecastDollars }) => forecastDollars)),
  }
}

/** Returns the first day that a bill at this time is made of. */
export function firstDayOfBill(now: number): string {
  const { month, today } = monthAt(now)
  const first = `${month}-01`
  const before = dayBefore(today, DAYS_OF_FORECAST)
  return first < before ? first : before
}

/** Returns the month in UTC, the day, the days of it that have passed, and its length in days. */
function monthAt(now: number) {
  const at = new Date(now * 1_000)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const begin = beginOfMonth(now)
  const today = at.toISOString().slice(0, 10)
  const length = (Date.UTC(year, month + 1) / 1_000 - begin) / DAY
  return { month: today.slice(0, 7), today, passed: (now - begin) / DAY, length }
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY * 1_000).toISOString().slice(0, 10)
}

/** Returns the number of whole days since the first of these until today: an organization that is younger is forecast by fewer. */
function wholeDays(days: readonly DayOfUse[], today: string): number {
  const first = days[0]?.period ?? today
  return (Date.parse(today) - Date.parse(first)) / (DAY * 1_000)
}

function megabytesOf(kind: UseKind, stored: Stored): number | undefined {
  if (kind === 'objectMegabytes') return stored.object
  if (kind === 'd1Megabytes') return stored.d1
  return kind === 'fileMegabytes' ? stored.files : undefined
}

/** Returns the use of these days, without storage. */
function useOf(days: readonly DayOfUse[]): Use {
  const of = (name: string) => sum(days.map(({ counts }) => counts[name] ?? 0))
  const requests = sum(
    days.flatMap(({ counts }) =>
      Object.entries(counts).map(([name, count]) => (name.startsWith('requests_total{') ? count : 0)),
    ),
  )
  return {
    workerRequests: requests,
    cpuMs: requests * CPU_MS,
    objectRequests: of('object_requests_total'),
    gbSeconds: of('object_awake_seconds_total') * OBJECT_GB,
    rowsRead: of(sample('object_rows_total', { rows: 'read' })),
    rowsWritten: of(sample('object_rows_total', { rows: 'written' })),
    d1Read: of(sample('d1_rows_total', { rows: 'read' })),
    d1Written: of(sample('d1_rows_total', { rows: 'written' })),
    fileReads: of(sample('file_operations_total', { op: 'read' })),
    fileWrites: of(sample('file_operations_total', { op: 'write' })),
    mails: of(sample('deliveries_total', { kind: 'mail', outcome: 'ok' })),
    objectMegabytes: 0,
    d1Megabytes: 0,
    fileMegabytes: 0,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
