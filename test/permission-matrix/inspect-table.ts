import { beforeAll, expect, it } from 'vitest'
import { ACCOUNTS, ACTOR_NAMES, type Actor, isTrueOf, type Place } from './cast.ts'
import { Inspection } from './compare.ts'
import { placesOf, type Row, readTable } from './read-table.ts'

/** A test for each row of the table: at each of its places it is asked as those of the accounts whom `accountsOf` names, and as the others. */
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

/** Without an account the answer does not depend on the place: a key is looked at before all else (docs/interface/conventions.md#order-of-checks). */
function othersOf(row: Row, index: number, place: Place | undefined): readonly Actor[] {
  const all = index === 0 || place === 'web-public'
  const visits = row.visitors ? true : all && !row.isOpen
  const strangers = ACTOR_NAMES.filter((actor) => !ACCOUNTS.includes(actor))
  return [...(all ? strangers : []), ...(visits ? (['visitor'] as const) : [])]
}

/**
 * Two of those who are alike to a row at a place: of whom all its words are true or false alike, so that it answers them alike.
 * Other rows take others of them.
 */
export function twoOfAKind(row: Row, place: Place | undefined): readonly Actor[] {
  const words = [...row.needs.flatMap((need) => need.words), ...(row.shows ?? [])]
  const kinds = Object.groupBy(ACCOUNTS, (actor) => words.map((word) => isTrueOf(word, actor, place)).join())
  return Object.values(kinds).flatMap((alike = []) => {
    const first = row.name.length % alike.length
    return [...alike, ...alike].slice(first, first + Math.min(2, alike.length))
  })
}
