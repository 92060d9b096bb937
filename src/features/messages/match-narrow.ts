import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonIds } from '../../api/parameter-types.ts'
import { narrow } from '../../api/shared-parameters.ts'
import { BYTES_AT_ONCE, PAUSES } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import { fairScheduler } from '../../core/fair-scheduler.ts'
import { unquotedText } from '../../core/json.ts'
import type { WorkerBodyReader } from '../../core/message-bodies.ts'
import { splitAt } from '../../core/parts-of-lists.ts'
import { presentTopic, topicsOfMessages } from '../../model/messages/topic-of-message.ts'
import { ownRecords } from '../../model/narrows/candidate-set.ts'
import { compileNarrow } from '../../model/narrows/compile-narrow.ts'
import { MatchingMessages } from '../../model/narrows/matching-messages.ts'
import { readNarrowTerms, searchTermsOf } from '../../model/narrows/narrow-terms.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { type MatchFields, matchFields } from './in-worker/finish-messages.ts'
import { hitsAmong, resolveWith } from './narrow-of-request.ts'

interface MatchingMessage {
  readonly id: number
  readonly version: number
  readonly topic: string
}

interface MatchingIds {
  readonly messages: readonly MatchingMessage[]
  /** Ids that have not been checked. */
  readonly rest: readonly number[]
  readonly searchTerms: readonly string[]
}

/** Messages that one turn matches: some 10 ms if each is in a different channel. */
const MATCHED_AT_ONCE = 2_000

/** Characters of HTML in an answer, which is complete before it is sent. Clients ask about a few new messages. */
const MAX_ANSWER_LENGTH = 5 * BYTES_AT_ONCE

/**
 * Marks the searched words, in the Worker, and asks for the remaining messages. Returns 'again' if they have changed meanwhile.
 * @throws BadRequestError if the answer is too long.
 */
async function finishMatches(
  found: MatchingIds,
  reader: WorkerBodyReader,
  matchOthers: (ids: readonly number[]) => Promise<MatchingIds>,
): Promise<'again' | { messages: Record<string, MatchFields> }> {
  const fields: Record<string, MatchFields> = {}
  let room = MAX_ANSWER_LENGTH
  for (let part = found; ; ) {
    for (let left = part.messages; left.length > 0; ) {
      const texts = await reader.readTexts(left, 'renderedContent')
      const isThere = ({ id }: MatchingMessage) => texts.has(id)
      for (const { id, topic } of left.filter(isThere)) {
        const match = matchFields(unquotedText(texts.get(id)!.text), topic, part.searchTerms)
        room -= match.match_content.length
        if (room < 0) throw new BadRequestError('The messages are too long to be answered together')
        fields[id] = match
      }
      const missing = left.filter((message) => !isThere(message))
      if (missing.length === left.length) return 'again'
      left = missing
    }
    if (part.rest.length === 0) return { messages: fields }
    await fairScheduler.nextSlice({ rest: PAUSES.turn })
    part = await matchOthers(part.rest)
  }
}

/**
 * Finds which of the caller's own messages belong to a narrow, for clients that cannot decide that for a new message. Source:
 * docs/interface/reading.md#match-messages-with-a-narrow.
 */
export const matchNarrowEndpoint = defineEndpoint({
  operation: 'match-narrow',
  route: 'GET /messages/matches_narrow',
  access: 'user',
  params: { msg_ids: jsonIds, narrow },
  returns: v.object({
    messages: v.record(v.string(), v.object({ match_content: v.string(), match_subject: v.string() })),
  }),
  command: {
    reads: true,
    asks: true,
    apply(view, caller, { msg_ids, narrow }): MatchingIds {
      const [first, rest] = splitAt([...new Set(msg_ids)], MATCHED_AT_ONCE)
      const terms = resolveWith(view, caller, readNarrowTerms(narrow))
      const plan = compileNarrow(view, caller, terms, hitsAmong(view, terms, first))
      const matching = new MatchingMessages(view, caller, plan, ownRecords(view, caller))
      const messages = matching.among(findMessages(view.sql, first))
      const topicOf = topicsOfMessages(view.sql, messages)
      return {
        messages: messages.map((message) => ({
          id: message.id,
          version: message.version,
          topic: message.topicId === 0 ? '' : presentTopic(topicOf(message)!.name, false),
        })),
        rest,
        searchTerms: searchTermsOf(terms)?.all ?? [],
      }
    },
    bodiesFor: ({ messages }) => messages.map(({ id }) => id),
  },
  finish: (found, { narrow }, { bodies, run }) =>
    finishMatches(
      found,
      bodies,
      async (ids) => (await run('match-narrow', { msg_ids: ids, narrow })) as MatchingIds,
    ),
})
