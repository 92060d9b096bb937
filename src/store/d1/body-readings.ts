import { fromJson, type JsonText, type QuotedText, quotedText } from '../../core/json.ts'
import type { MessageBody, MessageText, TextForm } from '../../core/message-bodies.ts'
import { absentBody } from '../../core/message-bodies.ts'

/** The columns of bodies that a reading has, and their form. */
export interface BodyReading<Body extends Pick<MessageBody, 'id' | 'version'>> {
  /** The value that has many bodies: one, since a query of several parts gets a value for each. */
  readonly together: string
  /** Columns of a body's own row. */
  readonly alone: string
  readTogether(row: never): Body[]
  /** Reads a row that has nulls where there is no body: what replaces it has version -1. */
  readAlone(row: never): Body
  /** The length of what was read, in UTF-16 units. */
  lengthOf(body: Body): number
}

interface BodyRow {
  readonly message_id: number
  /** Null, like all fields below, where there is no body. */
  readonly version: number | null
  readonly content: string
  readonly rendered_content: string
  readonly edit_history: JsonText<unknown[]>
}

type BodyInARow = [
  id: number,
  version: number,
  content: string,
  html: string,
  history: BodyRow['edit_history'],
]

/** Reads the whole body. */
export const WHOLE_BODIES: BodyReading<MessageBody> = {
  together: `json_group_array(json_array(message_id, version, content, rendered_content, edit_history))`,
  alone: `version, content, rendered_content, edit_history`,
  readTogether: ({ bodies }: { bodies: JsonText<BodyInARow[]> }) =>
    fromJson(bodies).map(([id, version, content, renderedContent, history]) => ({
      id,
      version,
      content,
      renderedContent,
      editHistory: editsOf(history),
    })),
  readAlone({ message_id: id, version, content, rendered_content, edit_history }: BodyRow) {
    if (version === null) return absentBody(id)
    return { id, version, content, renderedContent: rendered_content, editHistory: editsOf(edit_history) }
  },
  lengthOf: ({ content, renderedContent }) => content.length + renderedContent.length,
}

interface TextRow {
  readonly message_id: number
  readonly version: number | null
  readonly text: QuotedText
  readonly edit_history: JsonText<unknown[]>
}

type Head = [id: number, version: number, history: TextRow['edit_history']]

/** Reads one text of a body, as JSON that SQLite makes: neither parsed nor made here, a page costs a tenth less. */
export const ONE_TEXT: Readonly<Record<TextForm, BodyReading<MessageText>>> = {
  content: textReading('content'),
  renderedContent: textReading('rendered_content'),
}

function textReading(column: 'content' | 'rendered_content'): BodyReading<MessageText> {
  return {
    // Each on a line of its own, since JSON has no line breaks within a list of texts or a text.
    together: `json_group_array(json_array(message_id, version, edit_history)) || char(10) ||
      ifnull(group_concat(json_quote(${column}), char(10)), '')`,
    alone: `version, json_quote(${column}) AS text, edit_history`,
    readTogether({ bodies }: { bodies: string }) {
      const [heads, ...texts] = bodies.split('\n')
      return fromJson(heads as JsonText<Head[]>).map(([id, version, history], at) => ({
        id,
        version,
        text: texts[at] as QuotedText,
        editHistory: editsOf(history),
      }))
    },
    readAlone({ message_id: id, version, text, edit_history }: TextRow) {
      if (version === null) return textOf(absentBody(id), 'content')
      return { id, version, text, editHistory: editsOf(edit_history) }
    },
    lengthOf: ({ text }) => text.length,
  }
}

/** Returns one text of a body that is known as a whole. */
export function textOf(body: MessageBody, form: TextForm): MessageText {
  const { id, version, editHistory } = body
  return { id, version, text: quotedText(body[form]), editHistory }
}

/** Most messages have not been edited. */
function editsOf(history: JsonText<unknown[]>): readonly unknown[] {
  return history === '[]' ? [] : fromJson(history)
}
