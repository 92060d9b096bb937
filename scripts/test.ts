/**
 * `npm test [-- filter …]`: runs the tests, and the checks at the same time. Arguments go to vitest. When all tests run, they must
 * have tried every operation that clients need.
 */
import { join } from 'node:path'
import { buildWorker } from './build.ts'
import { checkSources } from './check.ts'
import { exitWithError, PROJECT, ProgramFailedError, runProgram } from './project.ts'

/** Minutes after which the run fails: far more than it takes, for a run that hangs. */
const MAX_MINUTES = 25
/** Minutes without the result of any test after which the run is ended. */
const HANGS_AFTER_MINUTES = '6'
/** The exit code of a run from which nothing came any more (test/support/lagging-reporter.ts). */
const HANGS = 75

async function main(): Promise<void> {
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const filters = process.argv.slice(2)
  const env = filters.length === 0 ? { WHOLE_SUITE: 'yes', HANGS_AFTER_MINUTES } : undefined
  const runTests = async () => {
    // Several files start a server, each in a process of its own, and each would bundle the Worker again.
    if (filters.length === 0) await buildWorker('local')
    const run = () => runProgram(vitest, ['run', ...filters], { show: true, env, minutes: MAX_MINUTES })
    await run().catch((error: unknown) => {
      const hung = error instanceof ProgramFailedError && error.exitCode === HANGS
      if (!hung || !process.env.RETRY) throw error
      process.stdout.write('The run hung: all tests run once more\n')
      return run()
    })
  }
  const outcomes = await Promise.allSettled([runTests(), checkSources({ show: false })])
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  if (failures.length > 0)
    throw failures.length === 1 ? failures[0] : new Error(failures.map(String).join('\n'))
}

await main().catch(exitWithError)
