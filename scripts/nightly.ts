/**
 * `npm run test:nightly [-- number of sequences]`: runs, for hours, the model-based test (1,000 sequences by default;
 * `SEED=` repeats a run), histories that differ in secrets (600, or `HISTORIES=`; `SEED=`), every hostile value
 * for every parameter, the commands of CONTRIBUTING.md, all pictures of the page's views, the tests with every object evicted before every
 * request, and those with an unreliable D1, each separately, the way of 100,000 messages through an archive, and the faults on a schedule
 * (an hour, or `FAULT_SECONDS=`; `FAULT_SEED=` repeats a run).
 */
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const LEAST = 1_000
const FAULT_SECONDS = '3600'
/** Seconds of faults in one process: the test pool keeps something of each object, and cannot make another after some thousands. */
const FAULT_SECONDS_AT_ONCE = 900
const HISTORIES = '600'
const ROUND_TRIP = ['--users', '100', '--channels', '20', '--messages', '100000']

async function main(): Promise<void> {
  process.env.SEQUENCES = String(Math.max(LEAST, Number(process.argv[2] ?? LEAST)))
  const faultSeconds = Number(process.env.FAULT_SECONDS ?? FAULT_SECONDS)
  process.env.HISTORIES ??= HISTORIES
  process.env.LONG = 'yes'
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  await runProgram(vitest, ['run', '--project', 'node', 'test/reference-model/model-based.large.test.ts'], {
    show: true,
  })
  const secrets = 'test/leaks/non-interference.long.test.ts'
  await runProgram(vitest, ['run', '--project', 'workers', secrets], { show: true })
  const hostile = 'test/http/hostile-requests.long.test.ts'
  await runProgram(vitest, ['run', '--project', 'workers', hostile], { show: true, env: { FUZZ: 'all' } })
  const commands = 'test/house/contributing.long.test.ts'
  await runProgram(vitest, ['run', commands], { show: true, env: { COMMANDS: 'all' } })
  const pictures = 'test/page/view-pictures.long.test.ts'
  await runProgram(vitest, ['run', pictures], { show: true, env: { PICTURES: 'all' } })
  const overHttp = ['run', '--project', 'workers', '--project', 'faults']
  await runProgram(vitest, overHttp, { show: true, env: { LONG: '', EVICT: 'always' } })
  await runProgram(vitest, overHttp, { show: true, env: { LONG: '', D1: 'shaky' } })
  await runProgram(join(PROJECT, 'scripts/round-trip.ts'), ROUND_TRIP, { show: true })
  for (let left = faultSeconds; left > 0; left -= FAULT_SECONDS_AT_ONCE) {
    const env = { FAULT_SECONDS: String(Math.min(left, FAULT_SECONDS_AT_ONCE)) }
    await runProgram(vitest, ['run', '--project', 'faults'], { show: true, env })
  }
}

await main().catch(exitWithError)
