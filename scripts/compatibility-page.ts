/** The page of what is met: docs/compatibility.md. */
import { basename } from 'node:path'
import { type PublicOperation, type Standing, standingOf } from '../test/compatibility/public-operations.ts'
import type { CheckedClient } from './compatibility-clients.ts'

/** As vitest reports it. */
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

/** @throws {Error} naming the files that did not load: nothing is known of their rules. */
export function readRules({ testResults }: TestReport): Rule[] {
  const silent = testResults.filter(({ assertionResults }) => assertionResults.length === 0)
  if (silent.length > 0) throw new Error(`No test was read of ${silent.map(({ name }) => name).join(', ')}`)
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

export function compatibilityPage(
  rules: readonly Rule[],
  clients: readonly CheckedClient[],
  operations: readonly PublicOperation[],
): string {
  const sections = [...Map.groupBy(rules, ({ section }) => section)]
  return [
    '# Compatibility',
    '',
    'Made by `npm run compatibility` from test results; not edited by hand. The rules come from the interface document that Parley was',
    "built from (the public API's behaviour under neutral names, by its sections), and from [the decisions](decisions/interface.md) where it",
    'is silent; [the pages of the interface](interface/README.md) have both in our own words. Each line is a test of that name in `test/spec`.',
    '',
    '## Clients',
    '',
    'What was run against the server of `npm start`, over real HTTP.',
    '',
    '| client | what was run | tests | passed |',
    '|---|---|---|---|',
    ...clients.map(
      ({ name, how, tests }) => `| ${name} | ${how} | ${tests.length} | ${tests.filter(isPassed).length} |`,
    ),
    '',
    ...clients.flatMap(({ name, tests }) => [`### ${name}`, '', ...tests.map(lineOf), '']),
    '## Operations of the public API',
    '',
    ...summary(operations),
    '',
    '| operation | priority | used by | here |',
    '|---|---|---|---|',
    ...operations.map(
      (operation) =>
        `| ${operation.method} ${operation.path} | ${operation.priority} | ${usersOf(operation)} | ${standingText(standingOf(operation))} |`,
    ),
    '',
    '## Rules of the interface document',
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
