/**
 * `npm run test:nightly [-- number of sequences]`: the model-based test at length, 1,000 sequences unless
 * told more. `SEED=` repeats a run.
 */
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const LEAST = 1_000

async function main(): Promise<void> {
  process.env.SEQUENCES = String(Math.max(LEAST, Number(process.argv[2] ?? LEAST)))
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  await runProgram(vitest, ['run', '--project', 'node', 'test/model/model-based.test.ts'], { show: true })
}

await main().catch(exitWithError)
