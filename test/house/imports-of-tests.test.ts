import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { importsOf, readSourceTree } from './import-graph.ts'

/** Folders whose tests stay as they are when the insides of the server are built anew. */
const TESTS_OF_BEHAVIOUR = ['features', 'leaks', 'http', 'realm', 'meter', 'faults', 'permission-matrix']

/** What any test may import: pure rules, and the schemas of events. */
const PURE = /^src\/(?:markdown|rules|events(?!\/log\.ts))\//

/** Tests that import more, by the reason. The lists may only become shorter. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'pure functions of the Worker: parameters, bodies and pages': [
    'http/body-limits.test.ts',
    'http/fields-of-json.large.test.ts',
    'http/input-limits.test.ts',
    'http/multipart.test.ts',
    'http/parameter-errors.test.ts',
  ],
  'readers of archives: pure functions': ['features/exports/own-archive.test.ts'],
  'memory of the Worker, its shares and what it keeps': [
    'http/answers-in-sections.large.test.ts',
    'http/clock-set-back.test.ts',
    'http/kept-texts.test.ts',
    'http/admission-control.test.ts',
  ],
  'calls to other servers, without an organization': ['realm/outgoing-target.test.ts'],
  'which quota counts which table, by triggers': ['realm/table-quotas.test.ts'],
  'lanes of outgoing work, from inside': ['realm/lanes.large.test.ts', 'realm/outgoing-turns.test.ts'],
  'what the object keeps in memory, and its limits': [
    'realm/bounded-memory.large.test.ts',
    'realm/bounded-memory.test.ts',
    'realm/full-object.test.ts',
    'realm/kept-reads.test.ts',
    'realm/log-entries.test.ts',
    'realm/recent-messages.long.test.ts',
  ],
  'budgets of turns and commits, and work that goes on in the next': [
    'features/imports/import-turns.large.test.ts',
    'features/messages/send-message-groups.large.test.ts',
    'features/messages/update-message-new-members.large.test.ts',
    'realm/rows-of-turns.long.test.ts',
    'realm/shared-slices.test.ts',
  ],
  'lists made in turns, beside changes': [
    'features/bots/bots-many.test.ts',
    'features/events/register-queue-lists.test.ts',
    'features/events/register-queue-statuses.large.test.ts',
    'features/events/register-queue-topics.large.test.ts',
    'features/events/register-queue-unread-groups.test.ts',
  ],
  'one reading of many rows, compared with a reading of each': [
    'realm/moved-ranges.test.ts',
    'features/users/create-user-many.test.ts',
    'features/exports/exports-periods.large.test.ts',
    'realm/read-sets-of-many.test.ts',
    'realm/repeated-terms.test.ts',
    'features/subscriptions/subscriptions.large.test.ts',
    'realm/topic-ids.test.ts',
  ],
}

/** Files of support that import more, by the reason. What else a test needs of the insides comes from support/inside*.ts. */
const EXCEPTIONS_OF_SUPPORT: Readonly<Record<string, readonly string[]>> = {
  'is the Worker and the object of the tests': ['worker.ts'],
  'compares what an object remembers with what is stored, and goes with that memory': ['compared-memory.ts'],
  'watches the turns of long work, and goes with them': ['watched-slices.ts'],
}

const TREE = readSourceTree(join(PROJECT, 'test'))

/** Returns the paths in `src` that a file imports and that are not pure. */
function insidesOf(file: string): string[] {
  return importsOf(posix.join('test', file), TREE.get(file)!).filter(
    (target) => target.startsWith('src/') && !PURE.test(target),
  )
}

const importing = (files: readonly string[]) => files.filter((file) => insidesOf(file).length > 0).toSorted()

it('tests of behaviour import nothing of src but pure rules, with listed exceptions', () => {
  const files = [...TREE.keys()].filter((file) => TESTS_OF_BEHAVIOUR.includes(file.split('/')[0]!))
  expect(files.length).toBeGreaterThan(300)
  expect(importing(files)).toEqual(Object.values(EXCEPTIONS).flat().toSorted())
})

it('support imports src only in files named inside, with listed exceptions', () => {
  const files = [...TREE.keys()].filter((file) => /^support\/(?!inside)/.test(file))
  const exceptions = Object.values(EXCEPTIONS_OF_SUPPORT).flat()
  expect(importing(files)).toEqual(exceptions.map((file) => `support/${file}`).toSorted())
})
