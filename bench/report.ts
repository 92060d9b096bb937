/** The results as tables for the terminal. */
import type { Bystanders } from './bystanders.ts'
import type { OperationRows } from './counted-rows.ts'
import type { FanOut } from './fan-out.ts'
import type { Measurement } from './markdown-cost.ts'
import type { StartUp } from './start-up.ts'
import type { PacedLatency, Throughput } from './throughput.ts'

export interface FanOutRow extends FanOut {
  readonly name: string
  readonly polls: number
  /** Of the last to have it, to the better of the two ways of the bare platform. */
  readonly ratio: number
}

export interface Results {
  readonly at: string
  readonly machine: Readonly<Record<string, string | number>>
  readonly seconds: number
  readonly throughput: readonly Throughput[]
  readonly latency: readonly PacedLatency[]
  readonly fanOut: readonly FanOutRow[]
  readonly bystanders: readonly Bystanders[]
  readonly rows: readonly OperationRows[]
  readonly markdown: readonly Measurement[]
  readonly startUp: StartUp
}

export function printResults(results: Results): void {
  table(
    'Throughput: 32 requests always under way',
    ['', 'a second', 'ratio'],
    [...results.throughput.map((one) => [one.name, one.perSecond.toFixed(0), ratio(one.ratio)])],
  )
  table(
    'Latency at a pace, ms',
    ['', 'a second', 'min', 'p50', 'p95', 'p99', 'max', 'ratio p50'],
    [
      ...results.latency.map((one) => [
        one.name,
        String(one.rate),
        ...[one.min, one.p50, one.p95, one.p99, one.max].map(ms),
        ratio(one.ratio),
      ]),
    ],
  )
  table(
    'One event to many waiting polls, ms',
    ['', 'polls', 'first', 'median', 'last', 'ratio last'],
    [
      ...results.fanOut.map((one) => [
        one.name,
        String(one.polls),
        ...[one.first, one.median, one.last].map(ms),
        ratio(one.ratio),
      ]),
    ],
  )
  table(
    'A message while many wait who do not get it',
    ['', 'ms', 'ratio'],
    results.bystanders.map((one) => [`${one.waiting} wait`, ms(one.sendMs), ratio(one.ratio)]),
  )
  const operations = [...new Set(results.rows.map(({ operation }) => operation))]
  table(
    'Rows: read / written',
    ['', 'object, 10', 'object, 1,000', 'D1, 10', 'D1, 1,000'],
    [
      ...operations.map((operation) => {
        const at = (subscribers: number) =>
          results.rows.find((one) => one.operation === operation && one.subscribers === subscribers)
        const show = (counts: { read: number; written: number } | undefined) =>
          counts ? `${counts.read} / ${counts.written}` : ''
        return [operation, show(at(10)?.object), show(at(1000)?.object), show(at(10)?.d1), show(at(1000)?.d1)]
      }),
    ],
  )
  const { size, gzipSize, firstAnswerMs, bareFirstAnswerMs } = results.startUp
  table(
    'Markdown, size and start',
    ['', ''],
    [
      ...results.markdown.map((one) => [one.name, `${one.value} ${one.unit}`]),
      ['Worker, as deployed', `${kilobytes(size)}, ${kilobytes(gzipSize)} compressed`],
      ['process start to first answer', `${ms(firstAnswerMs)} ms, bare ${ms(bareFirstAnswerMs)} ms`],
    ],
  )
  console.log(`\n${results.seconds.toFixed(0)} s in all`)
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('   ')
  console.log(`\n${title}\n${line(head)}`)
  for (const row of rows) console.log(line(row))
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0)
}

function ratio(value: number): string {
  return value.toFixed(2)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`
}
