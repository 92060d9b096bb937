import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonInteger, textUpTo } from '../../api/parameter-types.ts'
import { toUsers } from '../../core/audience.ts'
import { ROWS_OF_SLICE } from '../../core/budgets.ts'
import type { Commits } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { inCommits } from '../../core/in-commits.ts'
import { atOnce } from '../../core/reader.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../events/message-changes.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { markOwnRead } from '../../model/editing/change-flag.ts'
import { ownRecords } from '../../model/narrows/candidate-set.ts'
import { compileNarrow } from '../../model/narrows/compile-narrow.ts'
import { MatchingMessages } from '../../model/narrows/matching-messages.ts'
import { RowLimit } from '../../model/narrows/message-window.ts'
import type { NarrowTerm } from '../../model/narrows/narrow-terms.ts'
import { recheckPushesOf } from '../../model/push/enqueue-pushes.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { hasReceivedInTopic } from '../../store/messages/flags/received-message-rows.ts'
import { type IndexedMessage, newestMessageId } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'

/**
 * Marks everything as read at once: the floor of the caller's read set rises to the newest message
 * (docs/decisions/design.md#no-row-for-each-recipient), so that no request is too large. Source: docs/interface/reading.md#mark-as-read.
 */
export const markAllReadEndpoint = defineEndpoint({
  operation: 'mark-all-read',
  route: 'POST /mark_all_as_read',
  access: 'user',
  madeInCopies: true,
  returns: v.object({ complete: v.boolean() }),
  apply(tx, { user }) {
    const read = new ReadSet(tx.sql, user)
    read.raiseFloor(tx.sql, newestMessageId(tx.sql))
    read.save(tx.sql)
    recheckPushesOf(tx, user.id)
    const event: StoredUpdateMessageFlagsEvent = {
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages: [],
      all: true,
    }
    tx.emit(event, toUsers(user.id))
    return { complete: true }
  },
  audit: 'own',
})

/** Marks a channel's messages as read. Deprecated: clients use flags/narrow. Source: docs/interface/reading.md#mark-as-read. */
export const markChannelReadEndpoint = defineEndpoint({
  operation: 'mark-channel-read',
  route: 'POST /mark_stream_as_read',
  access: 'user',
  madeInCopies: true,
  params: { stream_id: jsonInteger },
  command: {
    commits: ({ stream_id }) =>
      markRead((tx, caller) => {
        const channel = requireReadableChannel(tx.sql, caller, stream_id)
        return [{ operator: 'channel', operand: channel.id, negated: false }]
      }),
  },
  audit: 'own',
})

/** A range of message ids, the first excluded. */
interface MessagesToMark {
  readonly above: number
  readonly upTo: number
}

/**
 * Marks the caller's own unread messages of a narrow as read, oldest first, in as many commits as needed, and notifies the caller's
 * clients. Messages that arrive during the request stay unread. `termsOf` is called in each commit; undefined: nothing is left.
 */
function markRead(
  termsOf: (tx: RealmTransaction, caller: Caller, isFirst: boolean) => readonly NarrowTerm[] | undefined,
): Commits<Caller, void> {
  return inCommits<Caller, MessagesToMark>((tx, caller, rest) => {
    const terms = termsOf(tx, caller, rest === undefined)
    return terms && markNext(tx, caller, terms, rest)
  })
}

/** Makes one commit, and returns the remaining range. */
function markNext(
  tx: RealmTransaction,
  caller: Caller,
  terms: readonly NarrowTerm[],
  rest: MessagesToMark | undefined,
): MessagesToMark | undefined {
  const plan = compileNarrow(tx, caller, [...terms, { operator: 'is', operand: 'unread', negated: false }])
  const matching = new MatchingMessages(tx, caller, plan, ownRecords(tx, caller))
  const walk = matching.walk({ from: rest?.above ?? 0, direction: 1, wanted: Infinity })
  const unread: IndexedMessage[] = []
  const isWanted = ({ id }: IndexedMessage) => rest === undefined || id <= rest.upTo
  const visit = (message: IndexedMessage) => isWanted(message) && unread.push(message) > 0
  // Work done before the meter starts: otherwise a commit that only prepares would be repeated forever.
  matching.prepare()
  const end = atOnce(new RowLimit(tx.sql, ROWS_OF_SLICE).run(walk.run(visit)))
  if (unread.length > 0) markOwnRead(tx, caller, unread, plan.facts.readSet())
  return end === 'spent' ? { above: walk.reached, upTo: rest?.upTo ?? newestMessageId(tx.sql) } : undefined
}

/**
 * Marks a topic's messages as read. Deprecated: clients use flags/narrow. Source: docs/interface/reading.md#mark-as-read.
 * @throws BadRequestError for a topic in which the caller has received nothing.
 */
export const markTopicReadEndpoint = defineEndpoint({
  operation: 'mark-topic-read',
  route: 'POST /mark_topic_as_read',
  access: 'user',
  madeInCopies: true,
  params: { stream_id: jsonInteger, topic_name: textUpTo(NAME_LENGTH) },
  command: {
    commits: ({ stream_id, topic_name }) =>
      markRead((tx, caller, isFirst) => {
        const channel = requireReadableChannel(tx.sql, caller, stream_id)
        const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
        const topic = findTopic(tx.sql, channel.id, name)
        // The topic was moved or deleted during the request.
        if (!topic && !isFirst) return undefined
        if (!topic || !hasReceivedInTopic(tx.sql, topic, caller.user.id, false)) {
          throw new BadRequestError(`No such topic '${topic_name}'`)
        }
        return [
          { operator: 'channel', operand: channel.id, negated: false },
          { operator: 'topic', operand: topic.name, negated: false },
        ]
      }),
  },
  audit: 'own',
})
