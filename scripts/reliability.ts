/** `npm run reliability`: runs a minute of faults on a schedule, and writes the result into docs/reliability.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const PAGE = join(PROJECT, 'docs/reliability.md')
const COUNTERS = /(?<=<!-- counters -->\n)[\s\S]*(?=<!-- \/counters -->)/
const LINE = /^Faults: (\d+) runs from seed (\d+); (.*); repeated by clients: (.*)$/m

async function main(): Promise<void> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const output = await runProgram(vitest, ['run', '--project', 'faults'], {
    env: { NO_COLOR: '1', FAULT_SECONDS: '60' },
  })
  const [, runs, seed, faults, repeated] = LINE.exec(output) ?? []
  if (runs === undefined) throw new Error('The run did not report its faults')
  const text = `${runs} runs from seed ${seed}, all well: ${sumsOf(faults!)}. Answers that clients had to ask for again: ${repeated}.`
  writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(COUNTERS, `${text}\n`))
}

/** Sums the faults of each place: `D1 read: lose 6, D1 read: throw 3` becomes `D1 read 9`. */
function sumsOf(faults: string): string {
  const sums = new Map<string, number>()
  for (const one of faults.split(', ')) {
    const where = one.split(/ at |: /, 1)[0]!
    sums.set(where, (sums.get(where) ?? 0) + Number(one.split(' ').at(-1)))
  }
  return [...sums].map(([where, times]) => `${where} ${times}`).join(', ')
}

await main().catch(exitWithError)
