import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { BodyReader } from '../../core/message-bodies.ts'
import {
  type EditHistoryPolicy,
  type MessageSnapshot,
  mergeEditHistory,
  presentSnapshots,
  type StoredContentEdit,
} from '../../model/messages/read/edit-history.ts'
import { requireReadableMessage } from '../../model/messages/read/message-access.ts'
import {
  movesOf,
  type ReadableHistory,
  readableHistory,
  readBeforeBy,
} from '../../model/messages/read/moves-of-messages.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { editEntries } from './message-answer.ts'

interface FoundHistory extends ReadableHistory {
  readonly id: number
  readonly version: number
  readonly senderId: number
  readonly sentAt: number
  /** Undefined for a direct message. */
  readonly topic: string | undefined
  readonly policy: Exclude<EditHistoryPolicy, 'none'>
}

/** Reads the history from the body, in the Worker. */
async function finishMessageHistory(
  { id, version, senderId, sentAt, topic, moves, editsAfter, policy }: FoundHistory,
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
      entries: mergeEditHistory(body.editHistory as readonly StoredContentEdit[], { moves, editsAfter }),
    },
    policy,
    allow_empty_topic_name,
  )
  return { message_history }
}

/** Gets a message's edits from the original on, as far as the organization shows them. Source: docs/interface/messages.md#edit-history. */
export const getMessageHistoryEndpoint = defineEndpoint({
  operation: 'get-message-history',
  route: 'GET /messages/:message_id/history',
  access: 'user',
  params: {
    message_id: pathInteger,
    allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({
    message_history: v.array(
      v.object({
        ...editEntries,
        topic: v.string(),
        content: v.string(),
        rendered_content: v.string(),
        content_html_diff: v.optional(v.string()),
      }),
    ),
  }),
  command: {
    reads: true,
    apply(view, caller, { message_id }): FoundHistory {
      const policy = realmProperty(view.sql, 'message_edit_history_visibility_policy')
      if (policy === 'none') {
        throw new BadRequestError('Message edit history is disabled in this organization')
      }
      const message = requireReadableMessage(view, caller, message_id)
      const { id, version, senderId, sentAt } = message
      const topic = topicOfMessage(view.sql, message)?.name
      const history = readableHistory(id, movesOf(view, [message])(message), readBeforeBy(view, caller))
      return { id, version, senderId, sentAt, topic, ...history, policy }
    },
    bodiesFor: ({ id }) => [id],
  },
  finish: (found, params, { bodies }) => finishMessageHistory(found, params, bodies),
})
