import type { BodyReader, Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { findMessages } from './message-rows.ts'
import { compileNarrow } from './narrow/compile-narrow.ts'
import { MatchingMessages } from './narrow/matching-messages.ts'
import { type RawNarrowTerm, readNarrowTerms } from './narrow/narrow-terms.ts'
import { resolveWith } from './narrow/resolve-with.ts'
import { ownRecords } from './narrow/universe.ts'
import { topicShown } from './present-message.ts'
import { hitsAmong, type SearchHits } from './search/load-hits.ts'
import { type MatchFields, matchFields } from './search/match-fields.ts'
import { searchTermsOf } from './search/search-terms.ts'
import { topicsById } from './topic-rows.ts'

export interface MatchNarrowParams {
  readonly msg_ids: readonly number[]
  readonly narrow: readonly RawNarrowTerm[]
}

interface MatchingIds {
  readonly messages: readonly { readonly id: number; readonly version: number; readonly topic: string }[]
  readonly needles: readonly string[]
}

/**
 * Which of the caller's own messages belong to a narrow: for clients that cannot tell themselves whether a
 * new message does. Source: core-endpoints 5.1.
 */
export const matchNarrow: Command<Caller, MatchNarrowParams, SearchHits, MatchingIds> = {
  async load(store, view, caller, { msg_ids, narrow }) {
    return hitsAmong(store, view, resolveWith(view, caller, readNarrowTerms(narrow)), msg_ids)
  },
  apply(view, caller, { msg_ids, narrow }, hits) {
    const terms = resolveWith(view, caller, readNarrowTerms(narrow))
    const plan = compileNarrow(view, caller, terms, hits)
    const matching = new MatchingMessages(view, caller, plan, ownRecords(view, caller))
    const messages = matching.among(findMessages(view.sql, msg_ids))
    const topics = topicsById(view.sql, [...new Set(messages.map(({ topicId }) => topicId))])
    return {
      messages: messages.map(({ id, version, topicId }) => ({
        id,
        version,
        topic: topicId === 0 ? '' : topicShown(topics.get(topicId)!.name, false),
      })),
      needles: searchTermsOf(terms)?.all ?? [],
    }
  },
  bodiesFor: ({ messages }) => messages.map(({ id }) => id),
}

/** Marks what was searched for, in the Worker. */
export async function finishMatches(
  { messages, needles }: MatchingIds,
  reader: BodyReader,
): Promise<'again' | { messages: Record<string, MatchFields> }> {
  const bodies = await reader.read(messages.map(({ id }) => id))
  const fields: Record<string, MatchFields> = {}
  for (const { id, version, topic } of messages) {
    const body = bodies.get(id)
    if (body?.version !== version) return 'again'
    fields[id] = matchFields(body, topic, needles)
  }
  return { messages: fields }
}
