import { BYTES_AT_ONCE, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { SearchPage, SearchRange } from '../../core/command.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { D1Write } from '../../core/realm-transaction.ts'
import { SearchedText } from '../../core/search-text.ts'

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
  const [id, version, content, html, , editHistory] = write.row
  return {
    id,
    version,
    content: String(content),
    renderedContent: String(html),
    editHistory: fromJson(String(editHistory) as JsonText<unknown[]>),
  }
}

/** The result of a search in the tail. */
interface TailPage {
  /** Messages of the tail in the range, tested or not: what D1 says of them is out of date. */
  readonly all: ReadonlySet<number>
  readonly matching: readonly number[]
  /** The id up to which all were tested; null for the whole range. */
  readonly reached: number | null
}

/** Tests messages of the tail from the end where the range begins, as far as the budget goes. */
export function searchTail(
  /** Message id and log id. */
  own: readonly (readonly [number, number])[],
  needles: readonly string[],
  { newestFirst }: SearchRange,
  writeOf: (id: number, entryId: number) => BodyWrite | undefined,
): TailPage {
  const ordered = own.toSorted(([a], [b]) => (newestFirst ? b - a : a - b))
  const matching: number[] = []
  let room = BYTES_AT_ONCE
  let reached: number | null = null
  for (const [index, [id, entryId]] of ordered.entries()) {
    if (index >= PAGE_OF_ROWS || room <= 0) {
      reached = ordered[index - 1]![0]
      break
    }
    const write = writeOf(id, entryId)
    if (!write) continue
    room -= lengthOf(write)
    const { content } = bodyOf(write)
    const text = new SearchedText(content)
    if (needles.every((needle) => text.contains(needle))) matching.push(id)
  }
  return { all: new Set(own.map(([id]) => id)), matching, reached }
}

/** Joins both pages. If one of them has not been searched to its end, hits beyond wait for the next page. */
export function withTail(found: SearchPage, tail: TailPage, { newestFirst }: SearchRange): SearchPage {
  const reached = nearer(found.reached, tail.reached, newestFirst)
  const isReached = (id: number) => reached === null || (newestFirst ? id >= reached : id <= reached)
  const all = [...found.ids.filter((id) => !tail.all.has(id)), ...tail.matching].filter(isReached)
  return { ids: all.sort((a, b) => (newestFirst ? b - a : a - b)), reached }
}

function nearer(a: number | null, b: number | null, newestFirst: boolean): number | null {
  if (a === null || b === null) return a ?? b
  return newestFirst ? Math.max(a, b) : Math.min(a, b)
}
