/**
 * `npm run test:quick`: what to run while working, in about a minute: types, the tests of pure functions (rules, Markdown, state of the
 * page), the tests that were changed, and those of each operation that the change touches. A change is what differs from the last commit
 * on `main`, or, on `main`, from the last commit.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitWithError, PROJECT, runProgram } from './project.ts'

const TOOLS = join(PROJECT, 'node_modules')
/** Operations that are tried at most: a change below all of them is a case for `npm test`. */
const MAX_OPERATIONS = 12
const OF_OPERATION = /^src\/features\/([^/]+)\/([^/]+)\.ts$/

async function main(): Promise<void> {
  const changed = changedFiles()
  const tests = testsOf(changed)
  process.stdout.write(`${changed.length} files changed; their tests:\n  ${tests.join('\n  ') || 'none'}\n`)
  const types = [[], ['-p', 'web']].map((args) =>
    runProgram(join(TOOLS, 'typescript/bin/tsc'), ['--noEmit', '--singleThreaded', ...args], { show: true }),
  )
  const vitest = join(TOOLS, 'vitest/vitest.mjs')
  const pure = ['run', '--project', 'pure', '--reporter', 'minimal']
  const outcomes = await Promise.allSettled([...types, runProgram(vitest, pure, { show: true })])
  if (tests.length > 0) {
    outcomes.push(...(await Promise.allSettled([runProgram(vitest, ['run', ...tests], { show: true })])))
  }
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
  if (failures.length > 0) throw new Error(failures.map(String).join('\n'))
}

/** Lists the files that differ from `main`, or from the last commit where that is `main` itself; new ones too. */
function changedFiles(): string[] {
  const base = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'
  const files = [
    ...git('diff', '--name-only', '--diff-filter=d', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(files)].filter((file) => /\.tsx?$/.test(file))
}

/** Returns the changed tests, and one of each operation that is changed, or imports directly what is. */
function testsOf(changed: readonly string[]): string[] {
  const ofChange = changed.filter((file) => file.endsWith('.test.ts'))
  const importers = importersOf(changed.filter((file) => file.startsWith('src/')))
  const operations = [...new Set([...changed, ...importers])].filter((file) => OF_OPERATION.test(file))
  const ofOperations = operations.flatMap((file) => {
    const [, area, name] = OF_OPERATION.exec(file)!
    const inFile = readFileSync(join(PROJECT, file), 'utf8').matchAll(/operation: '([a-z0-9-]+)'/g)
    const names = new Set([name, ...[...inFile].map(([, operation]) => operation)])
    return [...names]
      .map((each) => `test/features/${area}/${each}.test.ts`)
      .filter((test) => existsSync(join(PROJECT, test)))
  })
  return [...new Set([...ofChange, ...ofOperations.slice(0, MAX_OPERATIONS)])]
}

/** Returns the files of `src` that import one of these directly. */
function importersOf(files: readonly string[]): string[] {
  const names = files.map((file) => file.split('/').at(-1)!)
  if (names.length === 0) return []
  const pattern = `from '.*/(${names.join('|').replaceAll('.', '\\.')})'`
  return git('grep', '-lE', pattern, '--', 'src/features')
}

function git(...args: readonly string[]): string[] {
  const { stdout } = spawnSync('git', args, { cwd: PROJECT, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

await main().catch(exitWithError)
