import { BYTES_AT_ONCE, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { SearchPage, SearchRange } from '../../core/other-stores.ts'
import { SearchedText } from '../../core/search-text.ts'
import { type BodyWrite, bodyOf, lengthOf } from './body-writes.ts'

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
  searchTerms: readonly string[],
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
    if (searchTerms.every((searchTerm) => text.contains(searchTerm))) matching.push(id)
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
