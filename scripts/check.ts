/** `npm run check`: checks types, unused texts, lint, format, the direction of imports and the subjects of commits. */
import { join } from 'node:path'
import { checkSubjects } from './commit-subjects.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'
import { findUnusedTexts } from './unused-texts.ts'

const TOOLS = join(PROJECT, 'node_modules')

/** Uses one thread: several would check shared files once each, and slow down the tests that run at the same time. */
const TSC = ['--noEmit', '--singleThreaded']

/**
 * Checks types, unused texts, lint and format. The other checks are tests, and run with all tests.
 * @throws ProgramFailedError
 */
export async function checkSources({ show }: { readonly show: boolean }): Promise<void> {
  await runProgram(join(TOOLS, 'typescript/bin/tsc'), TSC, { show })
  await runProgram(join(TOOLS, 'typescript/bin/tsc'), [...TSC, '-p', 'web'], { show })
  const unused = findUnusedTexts()
  if (unused.length > 0) throw new Error(`No code shows these messages of texts/en:\n${unused.join('\n')}`)
  await runProgram(join(TOOLS, '@biomejs/biome/bin/biome'), ['check', '--error-on-warnings'], { show })
}

async function main(): Promise<void> {
  checkSubjects()
  await checkSources({ show: true })
  const test = 'test/house/dependency-direction.test.ts'
  await runProgram(join(TOOLS, 'vitest/vitest.mjs'), ['run', '--project', 'node', test], { show: true })
}

if (import.meta.main) await main().catch(exitWithError)
