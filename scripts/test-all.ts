/**
 * `npm run test:all`: runs what takes longer than `npm test` has time for: the tests of large organizations, of days without a store, of very
 * many cases, and of the page in a browser, unless it is run `-- --after-large`, which says that they have run; the long tests, in which a
 * sample stands for the most numerous cases; a minute of faults; the tests over HTTP with every object evicted before every request and a D1
 * that is slow and fails at random; and those that read and write texts with further databases for texts. `npm run test:nightly` runs the
 * whole of each.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installChromium } from './chromium.ts'
import { exitWithError, PROJECT, ProgramFailedError, runProgram } from './project.ts'

interface Run {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  /** Minutes after which the run is ended, for one that hangs. */
  readonly minutes: number
}

/** Files of tests that read, write and search the texts of messages. */
const ABOUT_TEXTS = [
  'test/features/messages',
  'test/features/reactions',
  'test/features/scheduled-messages',
  'test/features/verification',
  'test/leaks',
  'test/realm/copies-of-d1.test.ts',
  'test/realm/crash.large.test.ts',
  'test/realm/far-trips.test.ts',
  'test/realm/lost-bodies.test.ts',
  'test/realm/restored.large.test.ts',
]

const LARGE: Run = {
  name: 'large organizations, days without a store, very many cases, and the page in a browser',
  args: ['.large.test.ts'],
  env: {},
  minutes: 20,
}

const RUNS: readonly Run[] = [
  {
    // The faults are mostly waiting, so that they cost no time beside the others.
    name: 'long tests, and a minute of faults',
    args: ['.long.test.ts', 'test/faults/faults.test.ts'],
    env: { LONG: 'yes', FAULT_SECONDS: '60' },
    minutes: 45,
  },
  {
    // Both at once, and without large organizations: more would take the whole beyond 45 minutes.
    name: 'the tests over HTTP, with evictions and a shaky D1',
    args: ['--project', 'workers', '--project', 'faults'],
    env: { EVICT: 'always', D1: 'shaky', LEFT_OUT: '**/*.large.test.ts' },
    minutes: 25,
  },
  {
    name: 'with texts in further databases, as shaky, each with a copy that is behind',
    args: ['--project', 'workers', ...ABOUT_TEXTS],
    env: { D1: 'shaky', BODY_DATABASES: '2' },
    minutes: 5,
  },
]

async function main(): Promise<void> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const { values } = parseArgs({ options: { 'after-large': { type: 'boolean' } } })
  const runs = values['after-large'] ? RUNS : [LARGE, ...RUNS]
  const failed: string[] = []
  installChromium()
  for (const { name, args, env, minutes } of runs) {
    process.stdout.write(`\n=== ${name}\n`)
    const began = Date.now()
    try {
      await runProgram(vitest, ['run', ...args], { show: true, env, minutes })
    } catch (error) {
      failed.push(`${name} (${error instanceof ProgramFailedError ? 'see above' : String(error)})`)
    }
    process.stdout.write(`=== ${name}: ${Math.round((Date.now() - began) / 1_000)} s\n`)
  }
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}`)
}

await main().catch(exitWithError)
