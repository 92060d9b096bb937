import type { BodyVersion, MessageBody } from '../../../core/command.ts'
import {
  type EditHistoryEntry,
  type EditHistoryPolicy,
  mergeEditHistory,
  presentEditHistory,
  type StoredContentEdit,
} from '../edit/edit-history.ts'
import type { MessageFacts, PresentedMessage } from '../read/present-message.ts'

/** A message in the API's form (docs/interface/messages.md#the-message-object). */
export type CompleteMessage = MessageFacts & BodyFields

export interface BodyFields {
  readonly content: string
  readonly content_type: 'text/html' | 'text/x-markdown'
  readonly edit_history?: readonly EditHistoryEntry[]
}

export interface BodyOptions {
  readonly applyMarkdown: boolean
  readonly allowEmptyTopic: boolean
  readonly historyPolicy: EditHistoryPolicy
}

/** Returns the body that a presented message needs, in the form for `BodyReader.readVersions`. */
export function versionOf({ version, isShort, facts }: PresentedMessage): BodyVersion {
  return { id: facts.id, version, isShort }
}

/**
 * Returns the body of a message; undefined when it is not of this version: the realm has changed, and is
 * asked again.
 */
export function bodyOf(
  { id, version }: BodyVersion,
  bodies: ReadonlyMap<number, MessageBody>,
): MessageBody | undefined {
  const body = bodies.get(id)
  return body?.version === version ? body : undefined
}

/** Joins the realm object's and the body store's parts of a message. */
export function completeMessage(
  message: PresentedMessage,
  body: MessageBody,
  options: BodyOptions,
): CompleteMessage {
  return { ...message.facts, ...bodyFields(message, body, options) }
}

/** Returns the fields of a message that its body has. They follow those that the realm object knows. */
export function bodyFields(
  { moves, editsAfter = -1 }: Pick<PresentedMessage, 'moves' | 'editsAfter'>,
  body: MessageBody,
  { applyMarkdown, allowEmptyTopic, historyPolicy }: BodyOptions,
): BodyFields {
  const content = applyMarkdown ? body.renderedContent : body.content
  const content_type = applyMarkdown ? 'text/html' : 'text/x-markdown'
  if (body.editHistory.length === 0 && moves.length === 0) return { content, content_type }
  const history = presentEditHistory(
    mergeEditHistory(
      (body.editHistory as readonly StoredContentEdit[]).filter(({ seq }) => seq > editsAfter),
      moves,
    ),
    historyPolicy,
    allowEmptyTopic,
  )
  return { content, content_type, ...(history ? { edit_history: history } : {}) }
}
