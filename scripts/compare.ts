/**
 * `npm run compare -- COMMIT [filter …]`: runs the tests that call the Worker, in this tree and in that of a commit, and prints the answers
 * that differ; for `GET /events` it compares the events. The commit's tests run twice, to tell chance from change. Its recordings are cached.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Comparison, compareRecordings, type DifferentExchange } from '../test/recording/compare.ts'
import type { Exchange } from '../test/recording/record.ts'
import { fromJson } from './json.ts'
import { exitWithError, PROJECT, runProgram, WORK } from './project.ts'

const RECORDINGS = join(WORK, 'recordings')
const MAX_MINUTES = 60
/** The number of characters of a value that are printed. */
const SHOWN = 200

async function main(): Promise<void> {
  const [commit, ...filters] = process.argv.slice(2)
  if (!commit) throw new Error('Usage: npm run compare -- COMMIT [filter …]')
  const hash = git('rev-parse', '--short', `${commit}^{commit}`).trim()
  const kept = join(RECORDINGS, [hash, ...filters].join(' ').replaceAll('/', '+'))
  if (!existsSync(join(kept, 'done'))) await recordCommit(hash, kept, filters)
  const present = join(RECORDINGS, 'present')
  await record(PROJECT, present, filters)
  const comparison = compareFolders(join(kept, '1'), join(kept, '2'), present)
  print(comparison)
  if (comparison.different.length > 0) process.exitCode = 1
}

async function recordCommit(hash: string, into: string, filters: readonly string[]): Promise<void> {
  const tree = join(WORK, `tree-of-${hash}`)
  git('worktree', 'add', '--force', '--detach', tree, hash)
  try {
    if (!existsSync(join(tree, 'test/recording/record.ts')))
      throw new Error(`${hash} is older than the recording of tests`)
    const lockFile = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
    if (lockFile(tree) === lockFile(PROJECT)) {
      symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'))
    } else run('npm', ['ci', '--no-fund', '--no-audit'], tree)
    for (const run of ['1', '2']) await record(tree, join(into, run), filters)
    writeFileSync(join(into, 'done'), '')
  } finally {
    git('worktree', 'remove', '--force', tree)
  }
}

/** Runs the tests in a tree. The answers are compared even if tests fail. */
async function record(tree: string, into: string, filters: readonly string[]): Promise<void> {
  rmSync(into, { recursive: true, force: true })
  const vitest = join(tree, 'node_modules/vitest/vitest.mjs')
  const env = { RECORD: into, ...(filters.length === 0 && { WHOLE_SUITE: 'yes' }) }
  const options = { cwd: tree, env, show: true, minutes: MAX_MINUTES } as const
  await runProgram(vitest, ['run', '--project', 'workers', ...filters], options).catch(console.error)
  if (!existsSync(into)) throw new Error(`The tests in ${tree} sent no request`)
}

const git = (...args: string[]) => run('git', args, PROJECT)

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function compareFolders(before: string, again: string, after: string): Comparison {
  const different: DifferentExchange[] = []
  let [compared, left] = [0, 0]
  for (const file of readdirSync(before)) {
    const [first, second, third] = [before, again, after].map((folder) => readExchanges(join(folder, file)))
    const one = compareRecordings(first!, second!, third!)
    different.push(...one.different)
    compared += one.compared
    left += one.left
  }
  return { different, compared, left }
}

function readExchanges(file: string): readonly Exchange[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => fromJson<Exchange>(line))
}

function print({ different, compared, left }: Comparison): void {
  for (const { file, test, request, differences } of different) {
    console.log(`\n${file}: ${test}\n  ${request}`)
    for (const { place, before, after } of differences) {
      console.log(
        `    ${place.replaceAll('\t', '.')}\n      - ${before.slice(0, SHOWN)}\n      + ${after.slice(0, SHOWN)}`,
      )
    }
  }
  console.log(`\n${compared} answers compared, ${different.length} differ.`)
  console.log(
    `${left} were left out: their tests send different requests each time, or exist in only one of the trees.`,
  )
}

await main().catch(exitWithError)
