import type { ReadCommand } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { BodyReader } from '../../../core/message-bodies.ts'
import type { Caller } from '../../caller.ts'
import { realmProperty } from '../../realm/realm-setting-rows.ts'
import type { MessageMove } from '../move/message-move.ts'
import { movesOf } from '../move/moves-of-messages.ts'
import { requireReadableMessage } from '../read/message-access.ts'
import { topicOfMessage } from '../topic-of-message.ts'
import {
  type EditHistoryPolicy,
  type MessageSnapshot,
  mergeEditHistory,
  presentSnapshots,
  type StoredContentEdit,
} from './edit-history.ts'

interface FoundHistory {
  readonly id: number
  readonly version: number
  readonly senderId: number
  readonly sentAt: number
  /** Undefined for a direct message. */
  readonly topic: string | undefined
  readonly moves: readonly MessageMove[]
  readonly policy: Exclude<EditHistoryPolicy, 'none'>
}

/**
 * Gets the states of a message, as far as the organization shows them. Source:
 * docs/interface/messages.md#edit-history.
 */
export const getMessageHistory: ReadCommand<Caller, { readonly message_id: number }, void, FoundHistory> = {
  reads: true,
  apply(view, caller, { message_id }) {
    const policy = realmProperty(view.sql, 'message_edit_history_visibility_policy')
    if (policy === 'none') {
      throw new BadRequestError('Message edit history is disabled in this organization')
    }
    const message = requireReadableMessage(view, caller, message_id)
    const { id, version, senderId, sentAt } = message
    const topic = topicOfMessage(view.sql, message)?.name
    const moves = movesOf(view, [message])(message)
    return { id, version, senderId, sentAt, topic, moves, policy }
  },
  bodiesFor: ({ id }) => [id],
}

/** Reads the history from the body, in the Worker. */
export async function finishMessageHistory(
  { id, version, senderId, sentAt, topic, moves, policy }: FoundHistory,
  { allow_empty_topic_name }: { readonly allow_empty_topic_name: boolean },
  reader: BodyReader,
): Promise<'again' | { message_history: MessageSnapshot[] }> {
  const body = (await reader.readVersions([{ id, version }])).get(id)
  if (!body) return 'again'
  const { content, renderedContent } = body
  const message_history = await presentSnapshots(
    {
      senderId,
      sentAt,
      topic: topic ?? '',
      isDirect: topic === undefined,
      content,
      renderedContent,
      entries: mergeEditHistory(body.editHistory as readonly StoredContentEdit[], moves),
    },
    policy,
    allow_empty_topic_name,
  )
  return { message_history }
}
