import { BODIES_AT_ONCE } from '../../../core/budgets.ts'
import type { ReadCommand, WorkerBodyReader } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { unquotedText } from '../../../core/json.ts'
import type { Caller } from '../../caller.ts'
import { type MatchFields, matchFields } from '../in-worker/match-fields.ts'
import { findMessages } from '../message-rows.ts'
import { compileNarrow } from '../narrow/compile-narrow.ts'
import { MatchingMessages } from '../narrow/matching-messages.ts'
import { type RawNarrowTerm, readNarrowTerms } from '../narrow/narrow-terms.ts'
import { resolveWith } from '../narrow/resolve-with.ts'
import { ownRecords } from '../narrow/universe.ts'
import { presentTopic } from '../present-topic.ts'
import { hitsAmong, type SearchHits } from '../search/hits-among.ts'
import { searchTermsOf } from '../search/search-terms.ts'
import { topicsOfMessages } from '../topic-of-message.ts'

export interface MatchNarrowParams {
  readonly msg_ids: readonly number[]
  readonly narrow: readonly RawNarrowTerm[]
}

interface MatchingMessage {
  readonly id: number
  readonly version: number
  readonly topic: string
}

interface MatchingIds {
  readonly messages: readonly MatchingMessage[]
  readonly needles: readonly string[]
}

/**
 * Finds which of the caller's own messages belong to a narrow, for clients that cannot decide that about a
 * new message. Source: docs/interface/reading.md#match-messages-with-a-narrow.
 */
export const matchNarrow: ReadCommand<Caller, MatchNarrowParams, SearchHits, MatchingIds> = {
  reads: true,
  async load(store, view, caller, { msg_ids, narrow }) {
    return hitsAmong(store, view, resolveWith(view, caller, readNarrowTerms(narrow)), msg_ids)
  },
  apply(view, caller, { msg_ids, narrow }, hits) {
    const terms = resolveWith(view, caller, readNarrowTerms(narrow))
    const plan = compileNarrow(view, caller, terms, hits)
    const matching = new MatchingMessages(view, caller, plan, ownRecords(view, caller))
    const messages = matching.among(findMessages(view.sql, msg_ids))
    const topicOf = topicsOfMessages(view.sql, messages)
    return {
      messages: messages.map((message) => ({
        id: message.id,
        version: message.version,
        topic: message.topicId === 0 ? '' : presentTopic(topicOf(message)!.name, false),
      })),
      needles: searchTermsOf(terms)?.all ?? [],
    }
  },
  bodiesFor: ({ messages }) => messages.map(({ id }) => id),
}

/**
 * Length of an answer, in characters of HTML: it is made completely before it is sent. Clients ask about a
 * few new messages.
 */
const MAX_ANSWER_LENGTH = 5 * BODIES_AT_ONCE

/**
 * Marks the searched words, in the Worker. 'again' when the rest has changed meanwhile.
 * @throws BadRequestError when it is too much.
 */
export async function finishMatches(
  { messages, needles }: MatchingIds,
  reader: WorkerBodyReader,
): Promise<'again' | { messages: Record<string, MatchFields> }> {
  const fields: Record<string, MatchFields> = {}
  let room = MAX_ANSWER_LENGTH
  for (let left = messages; left.length > 0; ) {
    const texts = await reader.readTexts(left, 'renderedContent')
    const isThere = ({ id }: MatchingMessage) => texts.has(id)
    for (const { id, topic } of left.filter(isThere)) {
      const found = matchFields(unquotedText(texts.get(id)!.text), topic, needles)
      room -= found.match_content.length
      if (room < 0) throw new BadRequestError('The messages are too long to be answered together')
      fields[id] = found
    }
    const missing = left.filter((message) => !isThere(message))
    if (missing.length === left.length) return 'again'
    left = missing
  }
  return { messages: fields }
}
