import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { jsonBoolean, pathInteger } from '../../api/parameter-types.ts'
import type { BodyReader } from '../../core/message-bodies.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  bodyOf,
  type CompleteMessage,
  completeMessage,
  versionOf,
} from '../../model/messages/in-worker/complete-message.ts'
import type { EditHistoryPolicy } from '../../model/messages/read/edit-history.ts'
import { findReadableMessage, requireReadableMessage } from '../../model/messages/read/message-access.ts'
import { type PresentedMessage, presentMessages } from '../../model/messages/read/present-message.ts'
import { inPublicForm, spectatorCaller } from '../../model/spectators/spectator.ts'
import { notLoggedIn } from '../../rules/access.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { messageSchema } from './message-answer.ts'

const messageAnswer = v.object({ message: messageSchema, raw_content: v.string() })
/** Parameters for fetching one message, with an account and without. Source: docs/interface/messages.md#get-a-message. */
const messageParameters = {
  message_id: pathInteger,
  apply_markdown: v.optional(jsonBoolean, 'true'),
  allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
}

/**
 * Gets one message of a web-public channel, for visitors without an account. Any other is refused like one that does not exist. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#messages.
 * @throws UnauthorizedError
 */
export const getPublicMessageEndpoint = defineEndpoint({
  operation: 'get-public-message',
  route: 'GET /messages/:message_id',
  access: 'spectator',
  params: messageParameters,
  returns: messageAnswer,
  command: {
    reads: true,
    apply(tx, { source }, { message_id, allow_empty_topic_name }): FoundMessage {
      const caller = spectatorCaller(tx, source)
      const message = findReadableMessage(tx, caller, message_id)
      if (!message) throw notLoggedIn()
      const found = presentFoundMessage(tx, caller, message, allow_empty_topic_name)
      return { ...found, message: inPublicForm(tx, [found.message])[0]! }
    },
    bodiesFor: ({ message }) => [message.facts.id],
  },
  finish: (found, params, { bodies }) => finishMessage(found, params, bodies),
})

/**
 * Gets one message, wherever it is, for callers who may read it. Source:
 * docs/interface/messages.md#get-a-message; docs/interface/access.md#messages.
 * @throws BadRequestError `Invalid message(s)`
 */
export const getMessageEndpoint = defineEndpoint({
  operation: 'get-message',
  route: 'GET /messages/:message_id',
  access: 'user',
  params: messageParameters,
  returns: messageAnswer,
  command: {
    reads: true,
    apply(view, caller, { message_id, allow_empty_topic_name }): FoundMessage {
      const message = requireReadableMessage(view, caller, message_id)
      return presentFoundMessage(view, caller, message, allow_empty_topic_name)
    },
    bodiesFor: ({ message }) => [message.facts.id],
  },
  forSpectators: getPublicMessageEndpoint,
  finish: (found, params, { bodies }) => finishMessage(found, params, bodies),
})

interface FoundMessage {
  readonly message: PresentedMessage
  readonly historyPolicy: EditHistoryPolicy
}

function presentFoundMessage(
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
async function finishMessage(
  { message, historyPolicy }: FoundMessage,
  { apply_markdown, allow_empty_topic_name }: ParametersOf<typeof messageParameters>,
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
