import * as v from 'valibot'
import { topicDeleted } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { CHANGES_OF_COMMIT, ROWS_OF_SLICE } from '../../core/budgets.ts'
import { inCommits } from '../../core/in-commits.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireActiveChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { deleteMessages } from '../../model/editing/delete-messages.ts'
import { dropPolicies } from '../../model/editing/move/policies-of-emptied-topics.ts'
import { accessReader } from '../../model/messages/read/message-access.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'
import { countWithin } from '../../store/messages/edit/deletion-rows.ts'
import { messagesOfTopicBelow } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'

interface DeleteTopicParams {
  readonly stream_id: number
  readonly topic_name: string
}

/** Deletes the newest messages below an id. Returns the last one's id if more are left. */
function deleteNext(
  tx: RealmTransaction,
  caller: Caller,
  { stream_id, topic_name }: DeleteTopicParams,
  below: number,
): number | undefined {
  const { user, actor } = caller
  const channel = requireActiveChannel(tx.sql, caller, stream_id)
  const name = topic_name === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic_name
  const topic = findTopic(tx.sql, channel.id, name)
  if (!topic) return undefined
  const page = messagesOfTopicBelow(tx.sql, topic.id, below, CHANGES_OF_COMMIT + 1)
  const ids = page.slice(0, CHANGES_OF_COMMIT).map(({ id }) => id)
  const looked = page.slice(0, countWithin(tx.sql, ids, ROWS_OF_SLICE))
  const accessOf = accessReader(tx, caller)
  const readable = looked.filter((message) => mayReadMessage(actor, accessOf(message)))
  deleteMessages(tx, readable, [user.id])
  if (page.length > looked.length) return looked.at(-1)!.id
  dropPolicies(tx, channel, topic)
  return undefined
}

/**
 * Deletes a topic's messages that the caller can see, batch by batch, newest first; when time is up, the answer
 * says that a job deletes the rest (docs/interface/conventions.md#limits). Source: docs/interface/channels.md#delete-a-topic.
 */
export const deleteTopicEndpoint = defineEndpoint({
  operation: 'delete-topic',
  route: 'POST /streams/:stream_id/delete_topic',
  access: 'administrator',
  params: {
    stream_id: pathInteger,
    topic_name: described(
      textUpTo(NAME_LENGTH),
      'The display name of the empty topic is read as the empty topic.',
    ),
  },
  returns: v.object({ complete: v.boolean() }),
  command: {
    *commits(params) {
      yield* inCommits<Caller, number>((tx, caller, below = Number.MAX_SAFE_INTEGER) =>
        deleteNext(tx, caller, params, below),
      )
      return { complete: true }
    },
    unfinished: { complete: false },
  },
  // Without the name: owners do not read every channel.
  audit: { ofEachCommit: topicDeleted },
})
