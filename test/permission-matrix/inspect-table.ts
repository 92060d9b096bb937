import { beforeAll, expect, it } from 'vitest'
import { ACCOUNTS, ACTOR_NAMES, type Actor, type Destination, isTrueOf } from './cast.ts'
import { Inspection } from './compare.ts'
import { destinationsOf, type Row, readTable } from './read-table.ts'

/**
 * Adds a test for each row of the table, which makes the row's request for each of its destinations: as the accounts that
 * `accountsOf` returns, and as the actors without an account.
 */
export function inspectTable(
  accountsOf: (row: Row, destination: Destination | undefined) => readonly Actor[],
): void {
  let inspection: Inspection
  beforeAll(async () => {
    inspection = await Inspection.begin()
  })

  it.each(readTable().map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const rounds = destinationsOf(row).map((destination, index) => ({
      destination,
      actors: [...accountsOf(row, destination), ...othersOf(row, index, destination)],
    }))
    const differences = await inspection.differencesOf(row, rounds)
    expect(differences.join('\n')).toBe('')
  })
}

/**
 * Returns the actors without an account. At further destinations their answer is the same, since the key is checked before
 * all else (docs/interface/conventions.md#order-of-checks).
 */
function othersOf(row: Row, index: number, destination: Destination | undefined): readonly Actor[] {
  const all = index === 0 || destination === 'web-public'
  const visits = row.visitors ? true : all && !row.isOpen
  const strangers = ACTOR_NAMES.filter((actor) => !ACCOUNTS.includes(actor))
  return [...(all ? strangers : []), ...(visits ? (['visitor'] as const) : [])]
}

/**
 * Returns two of each kind of accounts at a destination. Accounts of one kind have the same value for each word of the row,
 * so they get the same answer. Different rows take different accounts of a kind.
 */
export function twoOfAKind(row: Row, destination: Destination | undefined): readonly Actor[] {
  const words = [...row.needs.flatMap((need) => need.words), ...(row.shows ?? [])]
  const kinds = Object.groupBy(ACCOUNTS, (actor) =>
    words.map((word) => isTrueOf(word, actor, destination)).join(),
  )
  return Object.values(kinds).flatMap((alike = []) => {
    const first = row.name.length % alike.length
    return [...alike, ...alike].slice(first, first + Math.min(2, alike.length))
  })
}
