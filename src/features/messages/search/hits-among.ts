import { ENTRIES_AT_ONCE } from '../../../core/budgets.ts'
import type { BodyStore } from '../../../core/command.ts'
import { inParts } from '../../../core/parts-of-lists.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import { RowLimit } from '../../../model/messages/narrow/message-window.ts'
import type { NarrowTerm } from '../../../model/messages/narrow/narrow-terms.ts'
import { searchTermsOf } from '../../../model/messages/search/search-terms.ts'
import { TextTest } from '../../../model/messages/search/text-test.ts'
import { TopicNeedles } from '../../../model/messages/search/topic-needles.ts'
import { findMessages } from '../../../store/messages/message-rows.ts'

/** Ids that pass the search, ascending, as far as a request needs them. Undefined without a search. */
export type SearchHits = readonly number[] | undefined

/** Returns those of the messages that pass the search. Checks no access. */
export async function hitsAmong(
  store: BodyStore,
  { sql }: Pick<RealmView, 'sql'>,
  terms: readonly NarrowTerm[],
  ids: readonly number[],
): Promise<SearchHits> {
  const wanted = searchTermsOf(terms)
  if (!wanted) return undefined
  const needles = [...new Set([...wanted.all, ...wanted.none.flat()])]
  const test = new TextTest(store, wanted, new TopicNeedles(sql, needles), new RowLimit(sql))
  const found: number[] = []
  for (const part of inParts(ids, ENTRIES_AT_ONCE)) {
    const passing = await store.drive(test.passing(findMessages(sql, part)))
    found.push(...passing.map(({ id }) => id))
  }
  return found.sort((a, b) => a - b)
}
