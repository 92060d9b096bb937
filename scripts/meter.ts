/**
 * `npm run meter`: counts the rows of each operation (test/realm/rows-of-operations.long.test.ts), and prints them with the differences from
 * the stored counts. `-- --keep` stores the new ones.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OperationRows, ROWS } from '../test/permission-matrix/rows.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const KEPT = join(PROJECT, 'test/permission-matrix/rows.ts')
const TABLE = /(?<=const TABLE = `\n)[^`]*(?=`)/
const LINE = /^(\S.*?) {2}(\d+) (\d+) (\d+) (\d+) {2}trips/gm
const COLUMNS = ['read', 'written', 'd1', 'turn'] as const

async function main(): Promise<void> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--project', 'workers', 'test/realm/rows-of-operations.long.test.ts']
  // The test fails if the counts differ from the stored ones.
  const output = await runProgram(vitest, args, { env: { LONG: 'yes', ROWS: 'show' } }).catch(
    (error: { output?: string }) => error.output ?? '',
  )
  const counted = new Map([...output.matchAll(LINE)].map(([, name, ...counts]) => [name!, rowsOf(counts)]))
  if (counted.size === 0) throw new Error(`The run counted nothing:\n${output}`)
  console.log(`rows: ${COLUMNS.join(', ')}`)
  for (const [name, rows] of counted) console.log(lineOf(name, rows) + differenceOf(ROWS.get(name), rows))
  for (const name of ROWS.keys()) if (!counted.has(name)) console.log(`${name}: no longer counted`)
  if (!process.argv.includes('--keep')) return
  const table = [...counted].map(([name, rows]) => `${lineOf(name, rows)}\n`).join('')
  writeFileSync(KEPT, readFileSync(KEPT, 'utf8').replace(TABLE, table))
}

function rowsOf(counts: readonly string[]): OperationRows {
  const [read, written, d1, turn] = counts.map(Number) as [number, number, number, number]
  return { read, written, d1, turn }
}

const lineOf = (name: string, rows: OperationRows) =>
  `${name.padEnd(45)} ${COLUMNS.map((column) => rows[column]).join(' ')}`

function differenceOf(kept: OperationRows | undefined, rows: OperationRows): string {
  if (!kept) return '  new'
  const changed = COLUMNS.filter((column) => kept[column] !== rows[column])
  return changed.map((column) => `  ${column}: was ${kept[column]}`).join('')
}

await main().catch(exitWithError)
