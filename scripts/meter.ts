/**
 * `npm run meter`: counts the rows of each operation (test/meter/rows-of-operations.long.test.ts), and prints them with the limits that do not
 * hold, or are too generous. `-- --keep` stores limits for the new counts in place of these. `-- --large` does the same for work of many rows
 * (test/meter/large-changes.large.test.ts, test/meter/large-lists.large.test.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LARGE_ROWS } from '../test/meter/large-rows.ts'
import { isKept, limitFor, ROWS } from '../test/meter/rows.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

/** A kept table of limits, and the tests that count what they limit. */
interface KeptTable {
  readonly file: string
  readonly tests: readonly string[]
  readonly columns: readonly string[]
  readonly limits: ReadonlyMap<string, object>
  /** A line in which a test shows what it has counted. */
  readonly shown: RegExp
}

type Counts = Readonly<Record<string, number>>

const OPERATIONS: KeptTable = {
  file: 'test/meter/rows.ts',
  tests: ['test/meter/rows-of-operations.long.test.ts'],
  columns: ['read', 'written', 'd1', 'turn'],
  limits: ROWS,
  shown: /^(\S.*?) {2}(\d+) (\d+) (\d+) (\d+) {2}trips/gm,
}
const LARGE: KeptTable = {
  file: 'test/meter/large-rows.ts',
  tests: ['test/meter/large-changes.large.test.ts', 'test/meter/large-lists.large.test.ts'],
  columns: ['slices', 'read', 'written'],
  limits: LARGE_ROWS,
  shown: /^(\S.*?) {2}(\d+) (\d+) (\d+) {2}large/gm,
}
const TABLE = /(?<=const TABLE = `\n)[^`]*(?=`)/

async function main(): Promise<void> {
  const { file, tests, columns, limits, shown } = process.argv.includes('--large') ? LARGE : OPERATIONS
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  // The tests fail if a limit does not hold.
  const output = await runProgram(
    vitest,
    ['run', '--project', 'workers', '--no-file-parallelism', ...tests],
    {
      env: { LONG: 'yes', ROWS: 'show' },
    },
  ).catch((error: { output?: string }) => error.output ?? '')
  const countsOf = (numbers: readonly string[]): Counts =>
    Object.fromEntries(columns.map((column, at) => [column, Number(numbers[at])]))
  const counted = new Map(
    [...output.matchAll(shown)].map(([, name, ...numbers]) => [name!, countsOf(numbers)]),
  )
  if (counted.size === 0) throw new Error(`The run counted nothing:\n${output}`)
  const width = Math.max(...[...counted.keys()].map((name) => name.length)) + 1
  const lineOf = (name: string, counts: Counts) =>
    `${name.padEnd(width)} ${columns.map((column) => counts[column]).join(' ')}`
  console.log(`rows: ${columns.join(', ')}`)
  for (const [name, counts] of counted) {
    console.log(lineOf(name, counts) + differenceOf(limits.get(name) as Counts | undefined, counts))
  }
  for (const name of limits.keys()) if (!counted.has(name)) console.log(`${name}: no longer counted`)
  if (!process.argv.includes('--keep')) return
  const table = [...counted]
    .map(([name, counts]) => `${lineOf(name, limitsOf(limits.get(name) as Counts | undefined, counts))}\n`)
    .join('')
  const kept = join(PROJECT, file)
  writeFileSync(kept, readFileSync(kept, 'utf8').replace(TABLE, table))
}

function differenceOf(limits: Counts | undefined, counts: Counts): string {
  if (!limits) return '  new'
  const changed = Object.keys(counts).filter((column) => !isKept(limits[column]!, counts[column]!))
  return changed.map((column) => `  ${column}: the limit was ${limits[column]}`).join('')
}

/** Returns the limits for counts: the old ones, as far as they stay. */
function limitsOf(old: Counts | undefined, counts: Counts): Counts {
  return Object.fromEntries(
    Object.entries(counts).map(([column, count]) => [
      column,
      old && isKept(old[column]!, count) ? old[column]! : limitFor(column, count),
    ]),
  )
}

await main().catch(exitWithError)
