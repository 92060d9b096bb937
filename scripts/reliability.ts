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
  if (runs === undefined) throw new Error('The run has not said what it met')
  const rows = faults!.split(', ').map((one) => one.replace(/^(.*): (.*) (\d+)$/, '| $1 | $2 | $3 |'))
  const table = [
    `${runs} runs from seed ${seed}, all well. Answers that clients had to ask for again: ${repeated}.`,
    '',
    '| where | what | times |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
  writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(COUNTERS, `${table}\n`))
}

await main().catch(exitWithError)
