/**
 * `npm run test:large [-- filter …]`: runs the tests of large organizations, of days without a store, of very many cases, and of the page in a
 * browser, which it installs if there is none. Filters are parts of names of files.
 */
import { join } from 'node:path'
import { installChromium } from './chromium.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'
import { withSecondTry } from './second-try.ts'

/** Minutes after which the run is ended, for one that hangs. */
const MAX_MINUTES = 35

async function main(): Promise<void> {
  installChromium()
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const filters = process.argv.slice(2)
  await withSecondTry((env) =>
    runProgram(vitest, ['run', ...(filters.length > 0 ? filters : ['.large.test.ts'])], {
      show: true,
      env,
      minutes: MAX_MINUTES,
    }),
  )
}

await main().catch(exitWithError)
