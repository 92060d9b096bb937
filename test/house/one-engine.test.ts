import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'

/*
 * Whatever reads much is read by readers (docs/architecture.md#the-engine). These tests keep other ways to divide work into turns, or to know
 * what has changed, from coming back.
 */

const SRC = join(PROJECT, 'src')
const files = [...readSourceTree(SRC).keys()]
const textOf = (file: string) => readFileSync(join(SRC, file), 'utf8')
const outside = (...folders: readonly string[]) =>
  files.filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)))

/** What knows how a turn ends, and what is out of date. */
const OF_THE_ENGINE = /\b(?:Suspended|Suspensions|StoreWatch|Stamps|ValueCache|Readings|Meter)\b/

/** The files that run readers and commands by it. */
const RUNS_COMMANDS = [
  'realm/build-runtime.ts',
  'realm/calls/call-runtime.ts',
  'realm/calls/run-command.ts',
  'realm/calls/transaction.ts',
  'realm/jobs/change-by-job.ts',
]

/** What the engine has replaced, and names of the same kind. */
const REPLACED =
  /\b(?:[a-z]\w*InTurns|\w+ReadAhead|read\w+Ahead|recall\w+Ahead|NotPrepared\w*|BudgetSpent\w*|ListLater|Made(?:Later|Last)|directory-memory|kept-reads|walk-lane|LoadView)\b/

/** How other rooms could divide work into turns, or tell what is out of date, by themselves. */
const BY_ITSELF = /\bPause\b|\bawait pause\(|[eE]poch/

/** The rooms of the rules of chat, without what jobs do with whole archives. */
const DOMAIN = /^(?:api|features(?!\/[^/]+\/background)|model|rules|store|events)\//

it('only the engine and the code that runs commands know suspension and stamps', () => {
  expect(files.length).toBeGreaterThan(800)
  expect(
    outside('engine')
      .filter((file) => OF_THE_ENGINE.test(textOf(file)))
      .toSorted(),
  ).toEqual(RUNS_COMMANDS)
})

it('rules of chat neither pause nor keep epochs', () => {
  const domain = files.filter((file) => DOMAIN.test(file))
  expect(domain.length).toBeGreaterThan(500)
  expect(domain.filter((file) => BY_ITSELF.test(textOf(file)))).toEqual([])
})

it('no mechanism that the engine has replaced has returned', () => {
  // The Worker reads long forms with pauses, and knows nothing of the store.
  expect(outside('http').filter((file) => REPLACED.test(textOf(file)))).toEqual([])
})
