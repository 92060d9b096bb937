import type { MarkdownIt, StateInline } from 'markdown-it'

/** Where the label of each bracket ends that has been looked at, by its position; -1 where it makes no link. */
const endsIn = new WeakMap<StateInline, Map<number, number>>()

/**
 * Finds the end of each label once. The parser looks for it again at each bracket: in thousands that are never closed it read the rest of
 * the text for each of them, 60 to 100 ms.
 */
export function useLinkLabels(md: MarkdownIt): void {
  md.helpers.parseLinkLabel = (state, start) => {
    const ends = endsIn.get(state) ?? new Map<number, number>()
    endsIn.set(state, ends)
    const end = ends.get(start) ?? findEnd(state, start, ends)
    ends.set(start, end)
    return end
  }
}

/** Returns the bracket that closes the one at `start`; -1 without one, or where a link comes before it. */
function findEnd(state: StateInline, start: number, ends: ReadonlyMap<number, number>): number {
  const { pos: before, src, posMax } = state
  state.pos = start + 1
  let end = -1
  while (state.pos < posMax && end < 0) {
    const at = state.pos
    if (src[at] === ']') end = at
    else {
      // The end of a bracket's own label is known once the rules have looked at it.
      state.md.inline.skipToken(state)
      if (src[at] === '[') {
        const inner = state.pos === at + 1 ? (ends.get(at) ?? -1) : -1
        if (inner < 0) break
        state.pos = inner + 1
      }
    }
  }
  state.pos = before
  return end
}
