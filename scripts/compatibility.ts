/**
 * `npm run compatibility`: runs the tests of the interface document (test/spec, one file a section, a
 * test a rule) and writes docs/compatibility.md from what they said, and from the list of public
 * operations compared with the endpoints that are declared. The page is never edited by hand.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isServed, OPERATIONS_FILE, type PublicOperation } from '../test/compatibility/public-operations.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'

interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
    }[]
  }[]
}

interface Rule {
  readonly section: string
  readonly text: string
  readonly passed: boolean
}

async function main(): Promise<void> {
  const rules = readRules(await runSpecTests())
  const operations = JSON.parse(readFileSync(OPERATIONS_FILE, 'utf8')) as PublicOperation[]
  const page = join(PROJECT, 'docs/compatibility.md')
  writeFileSync(page, compatibilityPage(rules, operations))
  const failed = rules.filter(({ passed }) => !passed)
  console.log(
    `${rules.length - failed.length} of ${rules.length} rules passed; written to docs/compatibility.md`,
  )
  if (failed.length > 0) process.exitCode = 1
}

async function runSpecTests(): Promise<TestReport> {
  const folder = join(PROJECT, '.parley')
  mkdirSync(folder, { recursive: true })
  const output = join(folder, 'spec-report.json')
  const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--project', 'workers', 'test/spec', '--reporter=json', `--outputFile=${output}`]
  // A rule that fails is a line of the page, not the end of it.
  await runProgram(vitest, args, { show: false }).catch(() => undefined)
  return JSON.parse(readFileSync(output, 'utf8')) as TestReport
}

function readRules({ testResults }: TestReport): Rule[] {
  return testResults
    .toSorted((a, b) => collate(basename(a.name, '.test.ts'), basename(b.name, '.test.ts')))
    .flatMap(({ assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title, status }) => ({
        section: ancestorTitles[0] ?? '',
        text: [...ancestorTitles.slice(1), title].join(': '),
        passed: status === 'passed',
      })),
    )
}

/** The sections of the document in their order, and then the decisions. */
function collate(a: string, b: string): number {
  const isDecisions = (name: string) => Number(name.startsWith('decisions'))
  return isDecisions(a) - isDecisions(b) || a.localeCompare(b, 'en', { numeric: true })
}

function compatibilityPage(rules: readonly Rule[], operations: readonly PublicOperation[]): string {
  const sections = [...Map.groupBy(rules, ({ section }) => section)]
  return [
    '# Compatibility',
    '',
    'Made by `npm run compatibility` from test results; not edited by hand.',
    '',
    '## Rules of the interface document',
    '',
    '| section | rules | passed |',
    '|---|---|---|',
    ...sections.map(
      ([section, found]) =>
        `| ${section} | ${found.length} | ${found.filter(({ passed }) => passed).length} |`,
    ),
    '',
    ...sections.flatMap(([section, found]) => [
      `### ${section}`,
      '',
      ...found.map(({ text, passed }) => `- ${passed ? '✓' : '✗ **not passed:**'} ${text}`),
      '',
    ]),
    '## Operations of the public API',
    '',
    `${operations.filter(isServed).length} of ${operations.length} are served.`,
    '',
    '| operation | priority | used by | served |',
    '|---|---|---|---|',
    ...operations.map(
      (operation) =>
        `| ${operation.method} ${operation.path} | ${operation.priority} | ${usersOf(operation)} | ${isServed(operation) ? 'yes' : 'not yet'} |`,
    ),
    '',
  ].join('\n')
}

function usersOf({ mobile, terminal }: PublicOperation): string {
  return [mobile ? 'mobile client' : '', terminal ? 'terminal client' : ''].filter(Boolean).join(', ')
}

await main().catch(exitWithError)
