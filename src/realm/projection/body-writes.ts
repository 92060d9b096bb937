import { fromJson, type JsonText } from '../../core/json.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { D1Write } from '../../core/realm-transaction.ts'

export type BodyWrite = Extract<
  D1Write,
  { readonly statement: 'insert-message-body' | 'replace-message-body' | 'replace-rendering' }
>

function isBodyWrite(write: D1Write): write is BodyWrite {
  const { statement } = write
  return (
    statement === 'insert-message-body' ||
    statement === 'replace-message-body' ||
    statement === 'replace-rendering'
  )
}

export function bodyWrittenBy(write: D1Write): number | undefined {
  return isBodyWrite(write) ? write.row[0] : undefined
}

/** Returns the length of a write's texts, in characters. */
export function lengthOf({ row }: D1Write): number {
  let characters = 0
  for (const value of row) if (typeof value === 'string') characters += value.length
  return characters
}

export function bodyOf(write: BodyWrite): MessageBody {
  // The conversions are for rows that D1 refused because of a value of the wrong type.
  if (write.statement === 'insert-message-body') {
    const [id, content, html] = write.row
    return { id, version: 0, content: String(content), renderedContent: String(html), editHistory: [] }
  }
  const [id, version, content, html, editHistory] = write.row
  return {
    id,
    version,
    content: String(content),
    renderedContent: String(html),
    editHistory: fromJson(String(editHistory) as JsonText<unknown[]>),
  }
}
