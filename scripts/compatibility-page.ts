/** The text of docs/compatibility.md: which clients, operations and rules are met. */

import { basename } from 'node:path'
import { FEATURE_LEVEL } from '../src/domain/server/version.ts'
import { FEATURE_LEVELS, type FeatureLevel } from '../test/compatibility/feature-levels.ts'
import { type PublicOperation, type Standing, standingOf } from '../test/compatibility/public-operations.ts'
import type { CheckedClient } from './compatibility-clients.ts'
import { fromJson } from './json.ts'

/** The part of vitest's JSON report that is read here. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
    }[]
  }[]
}

export interface Rule {
  readonly section: string
  readonly text: string
  readonly passed: boolean
}

/**
 * The report of a run of vitest. A test that fails is a line of the page, and not the end of it; any other failure is.
 * @param json what the run has written, if anything.
 * @param failure what the run ended with, if not with success.
 * @throws {unknown} `failure`, when it is not explained by a test that failed.
 * @throws {Error} naming a test that was skipped: its line could say neither yes nor no.
 */
export function readReport(json: string | undefined, failure: unknown): TestReport {
  if (json === undefined) throw failure ?? new Error('The run of the tests left no report')
  const report = fromJson<TestReport>(json)
  const isExplained = report.testResults.some(
    ({ status, assertionResults }) =>
      status === 'failed' || assertionResults.some((test) => test.status === 'failed'),
  )
  if (failure !== undefined && !isExplained) throw failure
  const notRun = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed'),
  )
  if (notRun.length > 0) throw new Error(`Not run, so nothing is known of it: ${notRun[0]!.title}`)
  return report
}

/** @throws {Error} naming the files that did not load: nothing is known of their rules. */
export function readRules({ testResults }: TestReport): Rule[] {
  const silent = testResults.filter(({ assertionResults }) => assertionResults.length === 0)
  if (silent.length > 0) throw new Error(`No test was read of ${silent.map(({ name }) => name).join(', ')}`)
  return testResults
    .toSorted((a, b) => collate(basename(a.name, '.test.ts'), basename(b.name, '.test.ts')))
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title, status }) => ({
        section: ancestorTitles[0] ?? basename(name, '.test.ts'),
        text: [...ancestorTitles.slice(1), title].join(': '),
        passed: status === 'passed',
      })),
    )
}

/** Sorts the files of the document's sections in their order, and then those of the decisions. */
function collate(a: string, b: string): number {
  const isDecisions = (name: string) => Number(name.startsWith('decisions'))
  return isDecisions(a) - isDecisions(b) || a.localeCompare(b, 'en', { numeric: true })
}

export function compatibilityPage(
  rules: readonly Rule[],
  clients: readonly CheckedClient[],
  operations: readonly PublicOperation[],
): string {
  const sections = [...Map.groupBy(rules, ({ section }) => section)]
  return [
    '# Compatibility',
    '',
    '`npm run compatibility` writes this page from test results; nobody edits it by hand. The rules come from two sources: the interface',
    "document that Parley was built from, which describes the public API's behaviour under neutral names, and, where that document is silent,",
    '[our decisions](decisions/interface.md). [The pages of the interface](interface/README.md) say all of it in our own words.',
    '',
    '## Clients',
    '',
    'These programs were run against the server of `npm start`, over real HTTP.',
    '',
    '| client | what was run | tests | passed |',
    '|---|---|---|---|',
    ...clients.map(
      ({ name, how, tests }) => `| ${name} | ${how} | ${tests.length} | ${tests.filter(isPassed).length} |`,
    ),
    '',
    ...clients.flatMap(({ name, tests }) => [`### ${name}`, '', ...tests.map(lineOf), '']),
    ...operationsSection(operations),
    ...levelsSection(),
    '## Rules of the interface document',
    '',
    'Each line is the title of a test in `test/spec`. The numbered sections are those of the interface document.',
    '',
    '| section | rules | passed |',
    '|---|---|---|',
    ...sections.map(
      ([section, found]) => `| ${section} | ${found.length} | ${found.filter(isPassed).length} |`,
    ),
    '',
    ...sections.flatMap(([section, found]) => [`### ${section}`, '', ...found.map(lineOf), '']),
  ].join('\n')
}

/** The lines about the operations of the public API: how many work, and how each one stands. */
export function operationsSection(operations: readonly PublicOperation[]): string[] {
  return [
    '## Operations of the public API',
    '',
    ...summary(operations),
    '',
    'Priority 1: the interface document describes the operation. Priority 2: clients need it. Priority 3: all others.',
    '',
    '| operation | priority | used by | here |',
    '|---|---|---|---|',
    ...operations.map(
      (operation) =>
        `| ${operation.method} ${operation.path} | ${operation.priority} | ${usersOf(operation)} | ${standingText(standingOf(operation))} |`,
    ),
    '',
  ]
}

/** The lines about the feature levels of the public API: what each changed, and what shows it. */
export function levelsSection(): string[] {
  return [
    '## Feature levels',
    '',
    'Public clients ask for features by level. This server announces level ' +
      `${FEATURE_LEVEL}. Some of what later levels brought is there already.`,
    '',
    '| level | change | here |',
    '|---|---|---|',
    ...FEATURE_LEVELS.map(
      ({ level, change, here }) => `| ${level} | ${change || '–'} | ${levelText(here)} |`,
    ),
    '',
  ]
}

function levelText(here: FeatureLevel['here']): string {
  if ('by' in here) return `[works](../${here.by})`
  if ('nothing' in here) return `nothing to do: ${here.nothing}`
  if ('differs' in here) return `differs: ${here.differs}`
  return 'not yet'
}

function summary(operations: readonly PublicOperation[]): string[] {
  const count = (kind: Standing['kind']) =>
    operations.filter((operation) => standingOf(operation).kind === kind).length
  return [
    '| works | always refuses, and says why | development only | not yet |',
    '|---|---|---|---|',
    `| ${count('works')} | ${count('refuses')} | ${count('development only')} | ${count('not yet')} |`,
  ]
}

const isPassed = ({ passed }: { readonly passed: boolean }) => passed
const lineOf = ({ text, passed }: { readonly text: string; readonly passed: boolean }) =>
  `- ${passed ? '✓' : '✗ **not passed:**'} ${text}`

function standingText(standing: Standing): string {
  return standing.kind === 'refuses' ? `refuses: “${standing.why}”` : standing.kind
}

function usersOf({ mobile, terminal }: PublicOperation): string {
  return [mobile ? 'mobile client' : '', terminal ? 'terminal client' : ''].filter(Boolean).join(', ')
}
