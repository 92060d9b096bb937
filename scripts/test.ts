/** `npm test [-- filter …]`: the checks, then the tests; arguments go to vitest. */
import { join } from 'node:path'
import { checkSources } from './check.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

async function main(): Promise<void> {
  await checkSources()
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  await runProgram(vitest, ['run', ...process.argv.slice(2)], { show: true })
}

await main().catch(exitWithError)
