/** The text of docs/compatibility.md: which clients, operations and rules are met. */

import { FEATURE_LEVEL } from '../src/model/server/version.ts'
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

/** The tests of the interface: a folder an area, a test a rule. */
export const RULES = 'test/features'

export interface Rule {
  /** The name of the folder. */
  readonly area: string
  readonly text: string
  readonly passed: boolean
}

/**
 * Reads the report of a run of vitest. A test that fails becomes a line of the page; any other failure is thrown.
 * @param json the report that the run has written, if any.
 * @param failure the error with which the run ended, if it failed.
 * @throws {unknown} `failure`, if no failed test explains it.
 * @throws {Error} that names a skipped test, of which the page can say neither yes nor no.
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
  if (notRun.length > 0) throw new Error(`Not run, so its result is unknown: ${notRun[0]!.title}`)
  return report
}

/** @throws {Error} that names the files that did not load, whose rules were not tested. */
export function readRules({ testResults }: TestReport): Rule[] {
  const silent = testResults.filter(({ assertionResults }) => assertionResults.length === 0)
  if (silent.length > 0)
    throw new Error(`No tests were found for ${silent.map(({ name }) => name).join(', ')}`)
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      area: name.split(`/${RULES}/`)[1]!.split('/')[0]!,
      text: [...ancestorTitles, title].join(': '),
      passed: status === 'passed',
    })),
  )
}

export function compatibilityPage(
  rules: readonly Rule[],
  clients: readonly CheckedClient[],
  operations: readonly PublicOperation[],
): string {
  return [
    '# Compatibility',
    '',
    'This page is generated from test results by `npm run compatibility`. Do not edit it by hand. Where the public documents are silent, [we decided](decisions/interface.md).',
    '',
    '## Clients',
    '',
    'These programs were run against the server of `npm start` (`test/node`). A test that does not pass is listed below the table.',
    '',
    '| client | what was run | tests | passed |',
    '|---|---|---|---|',
    ...clients.map(
      ({ name, how, tests }) => `| ${name} | ${how} | ${tests.length} | ${tests.filter(isPassed).length} |`,
    ),
    '',
    ...failed(clients.flatMap(({ tests }) => tests)),
    ...operationsSection(operations),
    ...levelsSection(),
    ...DIFFERENCES,
    ...rulesSection(rules),
  ].join('\n')
}

/** Differences that surprise people who know the public server. */
const DIFFERENCES = [
  '## What differs on purpose, or from what one expects',
  '',
  '- A search finds words as they are typed, in any language: `running` does not find `run`. It finds parts of words, so that `run` finds `running`, and no word is too common to be searched for (`test/features/messages/search-words.test.ts`).',
  '- `UTC-5` in a time has the sign that POSIX gives it, as on the public server: five hours less (`test/features/messages/render-message.test.ts`).',
  '- A TIFF is a link and no picture.',
  '',
]

/** The lines about the rules of the interface: how many there are by area, and which are not met. */
export function rulesSection(rules: readonly Rule[]): string[] {
  const areas = [...Map.groupBy(rules, ({ area }) => area)].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  return [
    '## Rules',
    '',
    `A test in \`${RULES}\` is a rule, and its title says which. A rule that is not met is listed below the table.`,
    '',
    '| area | rules |',
    '|---|---|',
    ...areas.map(([area, found]) => `| [${area}](../${RULES}/${area}) | ${found.length} |`),
    '',
    ...failed(rules),
  ]
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
    `Clients ask for features by level. This server announces level ${FEATURE_LEVEL}.`,
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
  if ('refuses' in here) return `[refuses](../${here.by}): “${here.refuses}”`
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

interface Result {
  readonly text: string
  readonly passed: boolean
}

const isPassed = ({ passed }: Result) => passed

function failed(results: readonly Result[]): string[] {
  const lines = results.filter((result) => !isPassed(result)).map(({ text }) => `- ✗ **not passed:** ${text}`)
  return lines.length > 0 ? [...lines, ''] : []
}

function standingText(standing: Standing): string {
  return standing.kind === 'refuses' ? `refuses: “${standing.why}”` : standing.kind
}

function usersOf({ mobile, terminal }: PublicOperation): string {
  return [mobile ? 'mobile client' : '', terminal ? 'terminal client' : ''].filter(Boolean).join(', ')
}
