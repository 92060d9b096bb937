import type { BodyStore } from '../../../core/command.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { findMessages } from '../message-rows.ts'
import type { NarrowTerm } from '../narrow/narrow-terms.ts'
import { Turns } from '../narrow/walk-in-turns.ts'
import { searchTermsOf } from './search-terms.ts'
import { TextTest } from './text-test.ts'
import { TopicNeedles } from './topic-needles.ts'

/** Ids that pass the search, ascending, as far as a request needs them. Undefined without a search. */
export type SearchHits = readonly number[] | undefined

/** Number of messages that are tested together. */
const AT_ONCE = 1_000

/** Returns those of the messages that pass the search. Checks no access. */
export async function hitsAmong(
  store: BodyStore,
  { sql }: Pick<RealmView, 'sql'>,
  terms: readonly NarrowTerm[],
  ids: readonly number[],
): Promise<SearchHits> {
  const search = searchTermsOf(terms)
  if (!search) return undefined
  const turns = new Turns(store.walks, sql)
  const needles = [...new Set([...search.all, ...search.none.flat()])]
  const test = new TextTest(store, search, new TopicNeedles(sql, needles, turns), turns)
  const found: number[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const passing = await test.passing(findMessages(sql, ids.slice(at, at + AT_ONCE)))
    found.push(...passing.map(({ id }) => id))
  }
  return found.sort((a, b) => a - b)
}
