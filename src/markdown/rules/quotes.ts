import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Signs found to quote nothing, by their position in the source, so that each is checked once. */
const signsOfNothing = new WeakMap<StateBlock, Set<number>>()

/**
 * Requires that a quote quotes something: lines of `>` with nothing after them up to the next empty line are
 * text.
 */
export function useQuotes(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'blockquote')!.fn
  md.block.ruler.at(
    'blockquote',
    (state, startLine, endLine, silent) =>
      !quotesNothing(state, startLine, endLine) && rule(state, startLine, endLine, silent),
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )
}

function quotesNothing(state: StateBlock, startLine: number, endLine: number): boolean {
  if (!isBareSign(state, startLine)) return false
  let known = signsOfNothing.get(state)
  if (known?.has(positionOf(state, startLine))) return true
  let line = startLine
  while (line < endLine && isBareSign(state, line)) line++
  if (line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) return false
  if (known === undefined) {
    known = new Set()
    signsOfNothing.set(state, known)
  }
  for (let sign = startLine; sign < line; sign++) known.add(positionOf(state, sign))
  return true
}

function isBareSign(state: StateBlock, line: number): boolean {
  const position = positionOf(state, line)
  if (state.src.charCodeAt(position) !== 0x3e || position >= state.eMarks[line]!) return false
  return state.src.slice(position + 1, state.eMarks[line]).trim() === ''
}

function positionOf(state: StateBlock, line: number): number {
  return state.bMarks[line]! + state.tShift[line]!
}
