import * as v from 'valibot'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import type { BodyReader } from '../../core/message-bodies.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import type { EditHistoryPolicy } from '../../model/messages/edit/edit-history.ts'
import {
  bodyOf,
  type CompleteMessage,
  completeMessage,
  versionOf,
} from '../../model/messages/in-worker/complete-message.ts'
import { requireReadableMessage } from '../../model/messages/read/message-access.ts'
import { type PresentedMessage, presentMessages } from '../../model/messages/read/present-message.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { messageSchema } from './many-messages.ts'

/**
 * Parameters for fetching one message, with an account and without. Source:
 * docs/interface/messages.md#get-a-message.
 */
export const messageParameters = {
  message_id: pathInteger,
  apply_markdown: v.optional(jsonBoolean, 'true'),
  allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
}

export const messageAnswer = v.object({ message: messageSchema, raw_content: v.string() })

export interface GetMessageParams {
  readonly message_id: number
  readonly apply_markdown: boolean
  readonly allow_empty_topic_name: boolean
}

export interface FoundMessage {
  readonly message: PresentedMessage
  readonly historyPolicy: EditHistoryPolicy
}

/**
 * Gets one message, wherever it is, for callers who may read it. Source:
 * docs/interface/messages.md#get-a-message; docs/interface/access.md#messages.
 * @throws BadRequestError `Invalid message(s)`
 */
export function getMessage(
  view: RealmReads,
  caller: Caller,
  { message_id, allow_empty_topic_name }: GetMessageParams,
): FoundMessage {
  const message = requireReadableMessage(view, caller, message_id)
  return presentFoundMessage(view, caller, message, allow_empty_topic_name)
}

export function presentFoundMessage(
  view: RealmReads,
  caller: Caller,
  message: IndexedMessage,
  allowEmptyTopic: boolean,
): FoundMessage {
  return {
    message: presentMessages(view, caller, [message], { clientGravatar: true, allowEmptyTopic })[0]!,
    historyPolicy: realmProperty(view.sql, 'message_edit_history_visibility_policy'),
  }
}

/** Adds the body, in the Worker. */
export async function finishMessage(
  { message, historyPolicy }: FoundMessage,
  { apply_markdown, allow_empty_topic_name }: GetMessageParams,
  reader: BodyReader,
): Promise<'again' | { message: CompleteMessage; raw_content: string }> {
  const wanted = versionOf(message)
  const body = bodyOf(wanted, await reader.readVersions([wanted]))
  if (!body) return 'again'
  return {
    message: completeMessage(message, body, {
      applyMarkdown: apply_markdown,
      allowEmptyTopic: allow_empty_topic_name,
      historyPolicy,
    }),
    raw_content: body.content,
  }
}
