import type { BodyVersion, MessageBody, MessageText, TextForm } from '../../../core/message-bodies.ts'
import {
  type EditHistoryEntry,
  type EditHistoryPolicy,
  mergeEditHistory,
  presentEditHistory,
  type StoredContentEdit,
} from '../read/edit-history.ts'
import type { ReadableHistory } from '../read/moves-of-messages.ts'
import type { UnpackedMessage } from '../read/pack-messages.ts'
import type { MessageFacts, PresentedMessage } from '../read/present-message.ts'

/** A message in the API's form (docs/interface/messages.md#the-message-object). */
export type CompleteMessage = MessageFacts & BodyFields

interface BodyFields {
  readonly content: string
  readonly content_type: 'text/html' | 'text/x-markdown'
  readonly edit_history?: readonly EditHistoryEntry[]
}

interface BodyOptions {
  readonly applyMarkdown: boolean
  readonly allowEmptyTopic: boolean
  readonly historyPolicy: EditHistoryPolicy
}

/** Returns the body that a presented message needs, in the form for `BodyReader.readVersions`. */
export function versionOf({ version, isShort, facts }: PresentedMessage): BodyVersion {
  return { id: facts.id, version, isShort }
}

/** Returns the body of a message; undefined when it has another version: then the realm must be asked again. */
export function bodyOf<Body extends Pick<MessageBody, 'version'>>(
  { id, version }: BodyVersion,
  bodies: ReadonlyMap<number, Body>,
): Body | undefined {
  const body = bodies.get(id)
  return body?.version === version ? body : undefined
}

/** Joins the realm object's and the body store's parts of a message, in this order. */
export function completeMessage(
  message: PresentedMessage,
  body: MessageBody,
  options: BodyOptions,
): CompleteMessage {
  const history = editHistoryOf(message, body, options)
  return {
    ...message.facts,
    content: body[textForm(options)],
    content_type: CONTENT_TYPES[textForm(options)],
    ...(history ? { edit_history: history } : {}),
  }
}

/** Returns a message's text in the form that the client asked for. */
export function textForm({ applyMarkdown }: Pick<BodyOptions, 'applyMarkdown'>): TextForm {
  return applyMarkdown ? 'renderedContent' : 'content'
}

const CONTENT_TYPES = { content: 'text/x-markdown', renderedContent: 'text/html' } as const

/** The JSON of a message after its content, without the end. */
const AFTER_CONTENT: Readonly<Record<TextForm, string>> = {
  content: `,"content_type":"${CONTENT_TYPES.content}"`,
  renderedContent: `,"content_type":"${CONTENT_TYPES.renderedContent}"`,
}

/** Returns the JSON of what `completeMessage` returns, without parsing the parts. `more`: further fields. */
export function completeJson(
  message: UnpackedMessage,
  text: MessageText,
  options: BodyOptions,
  more: object | undefined,
): string {
  const history = editHistoryOf(message, text, options)
  const others = history || more ? { ...(history ? { edit_history: history } : {}), ...more } : undefined
  const end = others ? `,${JSON.stringify(others).slice(1)}` : '}'
  return `${message.facts.slice(0, -1)},"content":${text.text}${AFTER_CONTENT[textForm(options)]}${end}`
}

/** Returns the message's history, if it has one that the organization shows. */
function editHistoryOf(
  history: ReadableHistory,
  { editHistory }: Pick<MessageBody, 'editHistory'>,
  { allowEmptyTopic, historyPolicy }: BodyOptions,
): readonly EditHistoryEntry[] | undefined {
  if (editHistory.length === 0 && history.moves.length === 0) return undefined
  const entries = mergeEditHistory(editHistory as readonly StoredContentEdit[], history)
  return presentEditHistory(entries, historyPolicy, allowEmptyTopic)
}
