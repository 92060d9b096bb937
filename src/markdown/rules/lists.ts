import type { MarkdownIt, StateBlock, Token } from 'markdown-it'

/** Spaces that nest a block below an item, whatever the width of the item's marker. */
const nestingIndent = 2

/** A number and a point; a number and a bracket make no list. */
const orderedMarker = /^(\d{1,9}\.)(?:[ \t]|$)/
const bulletMarker = /^[*+-](?:[ \t]|$)/

/**
 * Wraps the parser's list rule: a list needs no empty line before it and may begin with any number, two
 * spaces are enough to nest under "1." as they are under "*", and bullets of several kinds make one list.
 * Source: the public help on message formatting.
 */
export function useLists(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'list')!.fn
  md.block.ruler.at(
    'list',
    (state, startLine, endLine, silent) => {
      if (!beginsList(state, startLine)) return false
      if (silent) return interruptsParagraph(state, startLine) || rule(state, startLine, endLine, true)
      shiftNestedLines(state, startLine, endLine)
      const first = state.tokens.length
      if (!rule(state, startLine, endLine, false)) return false
      if (startLine > 0 && !state.isEmpty(startLine - 1)) joinBulletLists(state.tokens, first)
      return true
    },
    { alt: ['paragraph', 'reference', 'blockquote'] },
  )
}

/** Joins a list to the one that ends directly before it, if both have bullets. */
function joinBulletLists(tokens: Token[], first: number): void {
  if (tokens[first - 1]?.type !== 'bullet_list_close' || tokens[first]?.type !== 'bullet_list_open') return
  tokens.splice(first - 1, 2)
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]!)
}

/** Whether a line is a marker with text after it; a marker alone is text. */
function beginsList(state: StateBlock, line: number): boolean {
  return /^(?:\d{1,9}\.|[*+-])[ \t]+\S/.test(lineText(state, line))
}

/** Whether a list may begin in the line after a paragraph's: unless the line is indented like code. */
function interruptsParagraph(state: StateBlock, line: number): boolean {
  const indent = state.sCount[line]! - state.blkIndent
  return state.parentType === 'paragraph' && indent >= 0 && indent < 4
}

/**
 * Moves nested lines to the column where the parser expects them, if they are indented by less than the width
 * of an ordered item's marker. Only the counts are changed, not the text.
 */
function shiftNestedLines(state: StateBlock, startLine: number, endLine: number): void {
  const base = state.sCount[startLine]!
  if (base - state.blkIndent >= 4) return
  let width = 0
  let shift: number | undefined
  for (let line = startLine; line < endLine; line++) {
    if (state.isEmpty(line)) continue
    const indent = state.sCount[line]! - base
    if (indent < nestingIndent) {
      const marker = orderedMarker.exec(lineText(state, line).slice(0, 16))
      if (marker === null || indent < 0) {
        // A lazy line may continue the item's paragraph; after an empty line, or as a bullet, it ends it.
        if (line === startLine || indent < 0 || state.isEmpty(line - 1)) return
        if (bulletMarker.test(lineText(state, line).slice(0, 2))) return
        continue
      }
      width = indent + marker[1]!.length + 1
      shift = undefined
      continue
    }
    shift ??= Math.max(0, width - indent)
    state.sCount[line]! += shift
  }
}
