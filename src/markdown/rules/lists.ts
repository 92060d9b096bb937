import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Two spaces nest a block below an item, whatever the item's marker is wide. */
const nestingIndent = 2

const orderedMarker = /^(\d{1,9}[.)])(?:[ \t]|$)/
const bulletMarker = /^[*+-](?:[ \t]|$)/

/**
 * Wraps the parser's list rule: a list needs no empty line before it and may begin with any number, and two
 * spaces are enough to nest under "1." as they are under "*". Source: the public server's formatting help.
 */
export function useLists(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'list')!.fn
  md.block.ruler.at(
    'list',
    (state, startLine, endLine, silent) => {
      if (silent) return interruptsParagraph(state, startLine) || rule(state, startLine, endLine, true)
      shiftNestedLines(state, startLine, endLine)
      return rule(state, startLine, endLine, false)
    },
    { alt: ['paragraph', 'reference', 'blockquote'] },
  )
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]!)
}

/** A marker with text after it begins a list, though the line could continue a paragraph. */
function interruptsParagraph(state: StateBlock, line: number): boolean {
  if (state.parentType !== 'paragraph') return false
  const indent = state.sCount[line]! - state.blkIndent
  if (indent < 0 || indent >= 4) return false
  return /^(?:\d{1,9}[.)]|[*+-])[ \t]+\S/.test(lineText(state, line).slice(0, 64))
}

/**
 * Moves lines that are nested under an ordered item by fewer columns than its marker is wide to where the
 * parser expects them. Only the counts are changed; the text stays where it is.
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
        // A lazy line may go on with the item's paragraph; after an empty line, or as a bullet, it ends it.
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
