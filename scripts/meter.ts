/**
 * `npm run meter`: counts the rows of each operation (test/realm/rows-of-operations.long.test.ts), and prints them with the limits that do not
 * hold, or are too generous. `-- --keep` stores limits for the new counts in place of these.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isKept, limitFor, type OperationRows, ROWS } from '../test/permission-matrix/rows.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const KEPT = join(PROJECT, 'test/permission-matrix/rows.ts')
const TABLE = /(?<=const TABLE = `\n)[^`]*(?=`)/
const LINE = /^(\S.*?) {2}(\d+) (\d+) (\d+) (\d+) {2}trips/gm
const COLUMNS = ['read', 'written', 'd1', 'turn'] as const

async function main(): Promise<void> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--project', 'workers', 'test/realm/rows-of-operations.long.test.ts']
  // The test fails if a limit does not hold.
  const output = await runProgram(vitest, args, { env: { LONG: 'yes', ROWS: 'show' } }).catch(
    (error: { output?: string }) => error.output ?? '',
  )
  const counted = new Map([...output.matchAll(LINE)].map(([, name, ...counts]) => [name!, rowsOf(counts)]))
  if (counted.size === 0) throw new Error(`The run counted nothing:\n${output}`)
  console.log(`rows: ${COLUMNS.join(', ')}`)
  for (const [name, rows] of counted) console.log(lineOf(name, rows) + differenceOf(ROWS.get(name), rows))
  for (const name of ROWS.keys()) if (!counted.has(name)) console.log(`${name}: no longer counted`)
  if (!process.argv.includes('--keep')) return
  const table = [...counted]
    .map(([name, rows]) => `${lineOf(name, limitsOf(ROWS.get(name), rows))}\n`)
    .join('')
  writeFileSync(KEPT, readFileSync(KEPT, 'utf8').replace(TABLE, table))
}

function rowsOf(counts: readonly string[]): OperationRows {
  const [read, written, d1, turn] = counts.map(Number) as [number, number, number, number]
  return { read, written, d1, turn }
}

const lineOf = (name: string, rows: OperationRows) =>
  `${name.padEnd(45)} ${COLUMNS.map((column) => rows[column]).join(' ')}`

function differenceOf(limits: OperationRows | undefined, rows: OperationRows): string {
  if (!limits) return '  new'
  const changed = COLUMNS.filter((column) => !isKept(limits[column], rows[column]))
  return changed.map((column) => `  ${column}: the limit was ${limits[column]}`).join('')
}

/** Returns the limits for counts: the old ones, as far as they stay. */
function limitsOf(old: OperationRows | undefined, rows: OperationRows): OperationRows {
  const limitOf = (column: (typeof COLUMNS)[number]) =>
    old && isKept(old[column], rows[column]) ? old[column] : limitFor(column, rows[column])
  return { read: limitOf('read'), written: limitOf('written'), d1: limitOf('d1'), turn: limitOf('turn') }
}

await main().catch(exitWithError)
