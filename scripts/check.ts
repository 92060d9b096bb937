/** `npm run check`: types, lint and format, and that no file imports from a room above its own. */
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const TOOLS = join(PROJECT, 'node_modules')

/** Types, lint and format. The directions are a test of their own and run with the others. */
export async function checkSources(): Promise<void> {
  await runProgram(join(TOOLS, 'typescript/bin/tsc'), ['--noEmit'], { show: true })
  await runProgram(join(TOOLS, '@biomejs/biome/bin/biome'), ['check', '--error-on-warnings'], { show: true })
}

async function main(): Promise<void> {
  await checkSources()
  const direction = 'test/house/dependency-direction.test.ts'
  await runProgram(join(TOOLS, 'vitest/vitest.mjs'), ['run', '--project', 'node', direction], { show: true })
}

if (import.meta.main) await main().catch(exitWithError)
