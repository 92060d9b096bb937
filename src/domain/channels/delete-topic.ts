import type { Command } from '../../core/command.ts'
import { DELETED_IN_ONE_COMMIT, ROWS_OF_DELETED_MESSAGES } from '../../core/commit-budgets.ts'
import { requireActiveChannelContent } from '../../permissions/channel-rules.ts'
import { mayReadMessage } from '../../permissions/message-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import type { Caller } from '../caller.ts'
import { countWithin } from '../messages/edit/belonging-rows.ts'
import { deleteMessages } from '../messages/edit/delete-messages.ts'
import { messagesOfTopicBelow } from '../messages/message-rows.ts'
import { dropPolicies } from '../messages/move/policies-of-gone-topics.ts'
import { accessReader } from '../messages/read/message-access.ts'
import { findTopic } from '../messages/topic-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { findChannel } from './channel-rows.ts'

export interface DeleteTopicParams {
  readonly stream_id: number
  readonly topic_name: string
  /** Messages with this id and higher ones were handled by earlier commits. */
  readonly below?: number
}

/** The last batch is the whole answer, which a repeated request gets again. */
export type DeletedBatch = { readonly complete: true } | { readonly complete: false; readonly below: number }

/**
 * Deletes the newest messages of a topic, as many as one commit takes, and returns whether any are left: the
 * Worker continues until there are none, so that the realm can do other things in between. Only messages that
 * the caller can see are deleted. Source: docs/interface/channels.md#delete-a-topic.
 */
export const deleteTopic: Command<Caller, DeleteTopicParams, void, DeletedBatch> = {
  apply(tx, caller, { stream_id, topic_name, below = Number.MAX_SAFE_INTEGER }) {
    const { user, actor } = caller
    const subscribed = isSubscribed(tx.sql, stream_id, user.id)
    const channel = requireActiveChannelContent(actor, findChannel(tx.sql, stream_id), subscribed)
    const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
    const topic = findTopic(tx.sql, channel.id, name)
    if (!topic) return { complete: true }
    const page = messagesOfTopicBelow(tx.sql, topic.id, below, DELETED_IN_ONE_COMMIT + 1)
    const ids = page.slice(0, DELETED_IN_ONE_COMMIT).map(({ id }) => id)
    const looked = page.slice(0, countWithin(tx.sql, ids, ROWS_OF_DELETED_MESSAGES))
    const accessOf = accessReader(tx, caller)
    const readable = looked.filter((message) => mayReadMessage(actor, accessOf(message)))
    deleteMessages(tx, readable, [user.id])
    if (page.length > looked.length) return { complete: false, below: looked.at(-1)!.id }
    dropPolicies(tx, channel, topic)
    return { complete: true }
  },
}
