import { beforeAll, expect, it } from 'vitest'
import { ACCOUNTS, ACTOR_NAMES, type Actor, isTrueOf, type Place } from './cast.ts'
import { Inspection } from './compare.ts'
import { placesOf, type Row, readTable } from './read-table.ts'

/**
 * Adds a test for each row of the table, which makes the row's request at each of its places: as the accounts that
 * `accountsOf` returns, and as the actors without an account.
 */
export function inspectTable(accountsOf: (row: Row, place: Place | undefined) => readonly Actor[]): void {
  let inspection: Inspection
  beforeAll(async () => {
    inspection = await Inspection.begin()
  })

  it.each(readTable().map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const rounds = placesOf(row).map((place, index) => ({
      place,
      actors: [...accountsOf(row, place), ...othersOf(row, index, place)],
    }))
    const differences = await inspection.differencesOf(row, rounds)
    expect(differences.join('\n')).toBe('')
  })
}

/**
 * Returns the actors without an account. At further places their answer is the same, since the key is checked before all
 * else (docs/interface/conventions.md#order-of-checks).
 */
function othersOf(row: Row, index: number, place: Place | undefined): readonly Actor[] {
  const all = index === 0 || place === 'web-public'
  const visits = row.visitors ? true : all && !row.isOpen
  const strangers = ACTOR_NAMES.filter((actor) => !ACCOUNTS.includes(actor))
  return [...(all ? strangers : []), ...(visits ? (['visitor'] as const) : [])]
}

/**
 * Returns two of each kind of accounts at a place. Accounts of one kind have the same value for each word of the row, so
 * they get the same answer. Different rows take different accounts of a kind.
 */
export function twoOfAKind(row: Row, place: Place | undefined): readonly Actor[] {
  const words = [...row.needs.flatMap((need) => need.words), ...(row.shows ?? [])]
  const kinds = Object.groupBy(ACCOUNTS, (actor) => words.map((word) => isTrueOf(word, actor, place)).join())
  return Object.values(kinds).flatMap((alike = []) => {
    const first = row.name.length % alike.length
    return [...alike, ...alike].slice(first, first + Math.min(2, alike.length))
  })
}
