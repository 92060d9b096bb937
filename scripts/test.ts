/**
 * `npm test [-- filter …]`: runs the tests, and the checks at the same time. Arguments go to vitest. When all tests run, they must
 * have tried every operation that clients need, and what the runtime and the tests write besides the report goes to a file.
 */
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildWorker } from './build.ts'
import { checkSources } from './check.ts'
import { exitWithError, PROJECT, ProgramFailedError, runProgram, WORK } from './project.ts'
import { withSecondTry } from './second-try.ts'

/** Minutes after which the run fails: far more than it takes, for a run that hangs. */
const MAX_MINUTES = 25
/** Minutes without the result of any test after which the run is ended. */
const HANGS_AFTER_MINUTES = '6'
/** The exit code of a run from which nothing came any more (test/support/lagging-reporter.ts). */
const HANGS = 75
const LOG = join(WORK, 'logs/test.log')

async function main(): Promise<void> {
  const filters = process.argv.slice(2)
  const outcomes = await Promise.allSettled([
    filters.length === 0 ? runAll() : runSome(filters),
    checkSources({ show: false }),
  ])
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  if (failures.length > 0)
    throw failures.length === 1 ? failures[0] : new Error(failures.map(String).join('\n'))
}

function runSome(filters: readonly string[]): Promise<string> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  return runProgram(vitest, ['run', ...filters], { show: true, minutes: MAX_MINUTES })
}

async function runAll(): Promise<void> {
  // Several files start a server, each in a process of its own, and each would bundle the Worker again.
  await buildWorker('local')
  mkdirSync(join(WORK, 'logs'), { recursive: true })
  const run = () =>
    withSecondTry((env) =>
      runProgram(join(PROJECT, 'scripts/test-quietly.ts'), [], {
        log: LOG,
        env: { ...env, WHOLE_SUITE: 'yes', HANGS_AFTER_MINUTES },
        minutes: MAX_MINUTES,
      }),
    )
  try {
    await run().catch((error: unknown) => {
      const hung = error instanceof ProgramFailedError && error.exitCode === HANGS
      if (!hung || !process.env.RETRY) throw error
      process.stdout.write('The run hung, so all tests run once more\n')
      return run()
    })
  } catch (error) {
    process.stdout.write(`Other output of the runtime and the tests: ${relative(PROJECT, LOG)}\n`)
    throw error
  }
}

await main().catch(exitWithError)
