import type { MessageBody } from '../core/command.ts'
import type { D1Write } from '../core/realm-transaction.ts'

const BODY_STATEMENTS = new Set(['insert-message-body', 'replace-message-body', 'replace-rendering'])

/** The message whose body this writes. */
export function bodyWrittenBy({ statement, row }: D1Write): number | undefined {
  return BODY_STATEMENTS.has(statement) ? Number(row[0]) : undefined
}

/** Of its texts, in characters. */
export function lengthOf({ row }: D1Write): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

/** The rows are laid out by the statements in d1/projection.ts. */
export function bodyOf({ statement, row }: D1Write): MessageBody {
  if (statement === 'insert-message-body') {
    return {
      id: Number(row[0]),
      version: 0,
      content: String(row[1]),
      renderedContent: String(row[2]),
      editHistory: [],
    }
  }
  return {
    id: Number(row[0]),
    version: Number(row[1]),
    content: String(row[2]),
    renderedContent: String(row[3]),
    editHistory: JSON.parse(String(row[5])) as unknown[],
  }
}
