/**
 * Runs the failed test files of a run once more where `RETRY` is set. Vitest retries single tests by itself, but not what goes before and
 * after the tests of a file.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fromJson } from './json.ts'
import { PROJECT, ProgramFailedError, runProgram, WORK } from './project.ts'

const RESULTS = join(WORK, 'logs/results.json')
/** More failed files are no accident. */
const MAX_FILES = 3
/** The exit code of vitest when tests have failed. */
const TESTS_FAILED = 1
const MAX_MINUTES = 20

interface Results {
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}

/** @param run runs the tests with the given environment. */
export async function withSecondTry(run: (env: Record<string, string>) => Promise<string>): Promise<string> {
  if (!process.env.RETRY) return run({})
  rmSync(RESULTS, { force: true })
  try {
    return await run({ RESULTS })
  } catch (error) {
    const files = failedFiles()
    const failed = error instanceof ProgramFailedError && error.exitCode === TESTS_FAILED
    if (!failed || files.length === 0 || files.length > MAX_FILES) throw error
    process.stdout.write(`Retrying files that failed: ${files.join(', ')}\n`)
    const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
    return runProgram(vitest, ['run', ...files], { show: true, minutes: MAX_MINUTES })
  }
}

function failedFiles(): string[] {
  if (!existsSync(RESULTS)) return []
  const { testResults } = fromJson<Results>(readFileSync(RESULTS, 'utf8'))
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(PROJECT, name))
}
