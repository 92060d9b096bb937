/** `npm run check`: checks types, lint and format, and that no file imports from a room above its own. */
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const TOOLS = join(PROJECT, 'node_modules')

/** Several threads check what they share once each: it would end sooner, and take the tests beside it longer. */
const TSC = ['--noEmit', '--singleThreaded']

/**
 * Checks types, lint and format. The other checks are tests, and run with all tests.
 * @throws ProgramFailedError
 */
export async function checkSources({ show }: { readonly show: boolean }): Promise<void> {
  await runProgram(join(TOOLS, 'typescript/bin/tsc'), TSC, { show })
  await runProgram(join(TOOLS, 'typescript/bin/tsc'), [...TSC, '-p', 'web'], { show })
  await runProgram(join(TOOLS, '@biomejs/biome/bin/biome'), ['check', '--error-on-warnings'], { show })
}

async function main(): Promise<void> {
  await checkSources({ show: true })
  const test = 'test/house/dependency-direction.test.ts'
  await runProgram(join(TOOLS, 'vitest/vitest.mjs'), ['run', '--project', 'node', test], { show: true })
}

if (import.meta.main) await main().catch(exitWithError)
