/**
 * `npm run test:nightly [-- number of sequences]`: runs for hours what `npm run test:all` has time for a part of: the model-based test (1,000
 * sequences by default; `SEED=` repeats a run), walks through the page's state, histories that differ in secrets (600, or `HISTORIES=`;
 * `SEED=`), every hostile value for every parameter and route, log-ins by the hundred, the commands of CONTRIBUTING.md, all pictures of the
 * page's views and all views in each way of looking, the tests with every object evicted before every request, those with an unreliable D1, and
 * those with both, the way of 100,000 messages through an archive, and the faults on a schedule (an hour, or `FAULT_SECONDS=`; `FAULT_SEED=`
 * repeats a run).
 */
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const LEAST = 1_000
const WALKS = '200'
const FAULT_SECONDS = '3600'
/** Seconds of faults in one process: the test pool keeps something of each object, and cannot make another after some thousands. */
const FAULT_SECONDS_AT_ONCE = 900
const HISTORIES = '600'
const ROUND_TRIP = ['--users', '100', '--channels', '20', '--messages', '100000']

/** Tests of which `npm run test:all` tries some cases, with what makes them try all, or many more. */
const IN_FULL: readonly (readonly [files: readonly string[], env: Record<string, string>])[] = [
  [['test/reference-model/model-based.large.test.ts'], {}],
  [['test/reference-model/page-walk.long.test.ts'], { SEQUENCES: WALKS }],
  [['test/leaks/non-interference.long.test.ts'], {}],
  [
    [
      'test/http/hostile-requests.long.test.ts',
      'test/http/fuzz.long.test.ts',
      'test/http/fuzz-inside-json.long.test.ts',
      'test/http/fuzz-outside-the-api.long.test.ts',
    ],
    { FUZZ: 'all' },
  ],
  [['test/node/herd-of-logins.long.test.ts', 'test/node/cut-connections.long.test.ts'], { LOGINS: '300' }],
  [['test/house/contributing.long.test.ts'], { COMMANDS: 'all' }],
  [['test/page/view-pictures.long.test.ts'], { PICTURES: 'all' }],
  [['test/page/axe.long.test.ts', 'test/page/proof.long.test.ts'], { VIEWS: 'all' }],
]

const OVER_HTTP = ['--project', 'workers', '--project', 'faults']

async function main(): Promise<void> {
  process.env.SEQUENCES = String(Math.max(LEAST, Number(process.argv[2] ?? LEAST)))
  const faultSeconds = Number(process.env.FAULT_SECONDS ?? FAULT_SECONDS)
  process.env.HISTORIES ??= HISTORIES
  process.env.LONG = 'yes'
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const run = (args: readonly string[], env: Record<string, string>) =>
    runProgram(vitest, ['run', ...args], { show: true, env })
  for (const [files, env] of IN_FULL) await run(files, env)
  await run(OVER_HTTP, { LONG: '', EVICT: 'always' })
  await run(OVER_HTTP, { LONG: '', D1: 'shaky' })
  const both = { EVICT: 'always', D1: 'shaky', LEFT_OUT: '**/*.large.test.ts' }
  await run(OVER_HTTP, { LONG: '', ...both })
  await runProgram(join(PROJECT, 'scripts/round-trip.ts'), ROUND_TRIP, { show: true })
  for (let left = faultSeconds; left > 0; left -= FAULT_SECONDS_AT_ONCE) {
    await run(['--project', 'faults'], { FAULT_SECONDS: String(Math.min(left, FAULT_SECONDS_AT_ONCE)) })
  }
}

await main().catch(exitWithError)
