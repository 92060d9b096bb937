import type { MarkdownIt, StateBlock } from 'markdown-it'
import { parseQuote } from './fences.ts'

/** `>` marks that quote nothing, by their position in the source, so that each is checked once. */
const signsOfNothing = new WeakMap<StateBlock, Set<number>>()

/** The block started by lines of a bare `>`. */
type Beginning = 'quote' | 'text of a quote' | 'nothing'

/**
 * Requires content in a quote: lines of a bare `>` up to the next empty line or block are text. Text in the line after them belongs to
 * their quote, as it does after a line with text.
 */
export function useQuotes(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'blockquote')!.fn
  const useQuote = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
    const { beginning, line } = beginningAt(state, startLine, endLine)
    if (beginning === 'nothing') return false
    if (beginning === 'quote' || silent) return rule(state, startLine, endLine, silent)
    const end = endOfText(state, line, endLine)
    parseQuote(state, line, end)
    state.line = end
    const { length } = state.tokens
    // A following line with `>` continues the quote: the end of the first and the start of the second are dropped.
    if (state.line < endLine && isSign(state, state.line) && rule(state, state.line, endLine, false))
      state.tokens.splice(length - 1, 2)
    return true
  }
  md.block.ruler.at('blockquote', useQuote, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

/** Returns the block that starts at a line, and the first line that is more than a `>`. */
function beginningAt(
  state: StateBlock,
  startLine: number,
  endLine: number,
): { beginning: Beginning; line: number } {
  let line = startLine
  if (!isBareSign(state, line)) return { beginning: 'quote', line }
  let known = signsOfNothing.get(state)
  if (known?.has(positionOf(state, startLine))) return { beginning: 'nothing', line }
  while (line < endLine && isBareSign(state, line)) line++
  if (line < endLine && isSign(state, line)) return { beginning: 'quote', line }
  if (isText(state, line, endLine)) return { beginning: 'text of a quote', line }
  if (known === undefined) {
    known = new Set()
    signsOfNothing.set(state, known)
  }
  for (let sign = startLine; sign < line; sign++) known.add(positionOf(state, sign))
  return { beginning: 'nothing', line }
}

/** Whether a line is text, rather than code or the start of another block. */
function isText(state: StateBlock, line: number, endLine: number): boolean {
  if (line >= endLine || state.isEmpty(line)) return false
  const indent = state.sCount[line]! - state.blkIndent
  return indent >= 0 && indent < 4 && !isBlock(state, line, endLine)
}

/** Whether a block begins at a line that would end a paragraph in a quote. */
function isBlock(state: StateBlock, line: number, endLine: number): boolean {
  const { parentType } = state
  state.parentType = 'blockquote'
  const rules = state.md.block.ruler.getRules('blockquote')
  const found = rules.some((rule) => rule(state, line, endLine, true))
  state.parentType = parentType
  return found
}

function endOfText(state: StateBlock, start: number, endLine: number): number {
  let line = start + 1
  while (
    line < endLine &&
    !state.isEmpty(line) &&
    state.sCount[line]! >= state.blkIndent &&
    !isSign(state, line) &&
    !isBlock(state, line, endLine)
  )
    line++
  return line
}

function isBareSign(state: StateBlock, line: number): boolean {
  return isSign(state, line) && state.src.slice(positionOf(state, line) + 1, state.eMarks[line]).trim() === ''
}

function isSign(state: StateBlock, line: number): boolean {
  const position = positionOf(state, line)
  return state.src.charCodeAt(position) === 0x3e && position < state.eMarks[line]!
}

function positionOf(state: StateBlock, line: number): number {
  return state.bMarks[line]! + state.tShift[line]!
}
