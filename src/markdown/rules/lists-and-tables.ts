import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it'
import { contextOf } from '../render-types.ts'
import { isEscaped } from './fences.ts'

/** Spaces that nest a block under an item, whatever the width of the item's marker. */
const nestingIndent = 2

/** A number with a dot; a number with a bracket is not a list. */
const orderedMarker = /^(\d{1,9}\.)(?:[ \t]|$)/
const bulletMarker = /^[*+-](?:[ \t]|$)/

/**
 * Wraps the parser's list rule: a list needs no empty line before it and may begin with any number, two spaces are enough to nest under
 * "1." as they are under "*", and bullets of several kinds make one list. Source: the public help on message formatting.
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

/** Whether a line is a marker followed by text; a marker alone is text. */
function beginsList(state: StateBlock, line: number): boolean {
  return /^(?:\d{1,9}\.|[*+-])[ \t]+\S/.test(lineText(state, line))
}

/** Whether a list may begin in the line after a paragraph: unless it is indented like code. */
function interruptsParagraph(state: StateBlock, line: number): boolean {
  const indent = state.sCount[line]! - state.blkIndent
  return state.parentType === 'paragraph' && indent >= 0 && indent < 4
}

/**
 * Moves nested lines to the column where the parser expects them, if they are indented by less than the width of an ordered item's
 * marker. Only the counts change, not the text.
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

/** Columns above which a table is shown as text, since each short row is padded with empty cells. */
const maxColumns = 100

/**
 * Limit of the cells of all tables of a message, of which ten thousand characters can write 5,000. The parser pads short rows: lines of
 * one letter became 65,000 cells, in 0.2 to 0.4 s. The row that exceeds the limit is text, and so are those after it.
 */
const maxCells = 6_000

/**
 * Wraps the parser's table rule: limits columns and cells, keeps the bars of code in their cells, writes alignment as clients expect it, adds a
 * missing body.
 */
export function useTables(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'table')!.fn
  md.block.ruler.at(
    'table',
    (state, startLine, endLine, silent) => {
      if (!isRuleOfTable(state, startLine + 1, endLine)) return false
      return withBarsHidden(state, startLine, endLine, () => {
        const columns = columnsIn(state, startLine)
        if (columns > maxColumns) return false
        const context = contextOf(state.env)
        const rows = Math.floor((maxCells - context.tableCells) / columns) - 1
        if (rows < 1) return false
        const first = state.tokens.length
        if (!rule(state, startLine, Math.min(endLine, startLine + 2 + rows), silent)) return false
        if (!silent) context.tableCells += finishTable(state, first)
        return true
      })
    },
    { alt: ['paragraph', 'reference'] },
  )
}

/** Whether a line may be the one below the head of a table. */
function isRuleOfTable(state: StateBlock, line: number, endLine: number): boolean {
  return line < endLine && /^[-|:][-|: \t]*$/.test(lineText(state, line))
}

/** What stands for a bar within code while a table is parsed: a code point that no source has (`visible` in render.ts). */
const HIDDEN_BAR = '\ufdd0'

/** Runs a rule with the bars within code hidden from it, in the lines up to the next empty one, and shows them again in what it has made. */
function withBarsHidden(state: StateBlock, startLine: number, endLine: number, run: () => boolean): boolean {
  let last = startLine
  while (last < endLine && !state.isEmpty(last)) last++
  const [start, end] = [state.bMarks[startLine]!, state.eMarks[last - 1]!]
  const { src } = state
  const lines = src.slice(start, end)
  if (!lines.includes('`')) return run()
  const first = state.tokens.length
  state.src = src.slice(0, start) + lines.split('\n').map(hideBars).join('\n') + src.slice(end)
  const isTable = run()
  state.src = src
  for (const token of state.tokens.slice(first)) token.content = token.content.replaceAll(HIDDEN_BAR, '|')
  return isTable
}

/** Hides the bars of a row that are within code: between as many backticks. One after a backslash ends no cell anyway. */
function hideBars(row: string): string {
  const ticks = [...row.matchAll(/`+/g)]
  const following = new Map<number, number>()
  const closing = ticks.map(() => -1)
  for (let at = ticks.length - 1; at >= 0; at--) {
    const { length } = ticks[at]![0]
    closing[at] = following.get(length) ?? -1
    following.set(length, at)
  }
  let hidden = ''
  let written = 0
  for (let at = 0; at < ticks.length; at++) {
    const { index } = ticks[at]!
    if (closing[at]! < 0 || isEscaped(row, index)) continue
    at = closing[at]!
    const end = ticks[at]!.index
    hidden += row.slice(written, index) + row.slice(index, end).replace(/(?<!\\)\|/g, HIDDEN_BAR)
    written = end
  }
  return hidden + row.slice(written)
}

/** Returns the columns of a table with this head. */
function columnsIn(state: StateBlock, line: number): number {
  const head = state.src.slice(state.bMarks[line], state.eMarks[line]).trim()
  const atEnds = (head.startsWith('|') ? 1 : 0) + (head.endsWith('|') ? 1 : 0)
  return Math.max(1, head.split('|', maxColumns + 4).length - atEnds)
}

/** Returns the number of its cells. */
function finishTable(state: StateBlock, first: number): number {
  const head: Token[] = []
  let hasBody = false
  let cells = 0
  for (let index = first; index < state.tokens.length; index++) {
    const token = state.tokens[index]!
    if (token.type === 'tbody_open') hasBody = true
    if (token.type === 'th_open') head.push(token)
    if (token.type === 'td_open') cells++
    const style = token.attrGet('style')
    if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`)
  }
  if (!hasBody) addEmptyRow(state, head)
  return head.length + cells
}

/** Gives a table with only a head one row of empty cells, as the public server does. */
function addEmptyRow(state: StateBlock, head: Token[]): void {
  const close = state.tokens.pop()!
  state.level++
  state.push('tbody_open', 'tbody', 1)
  state.push('tr_open', 'tr', 1)
  for (const cell of head) {
    state.push('td_open', 'td', 1).attrs = cell.attrs
    const inline = state.push('inline', '', 0)
    inline.children = []
    state.push('td_close', 'td', -1)
  }
  state.push('tr_close', 'tr', -1)
  state.push('tbody_close', 'tbody', -1)
  state.level--
  state.tokens.push(close)
}

/** The start of a block other than a paragraph, in a text of one line. */
const blockStart = /^(?:[\s#>*+\-_`~]|\d+\.)/

/** Makes a text of one line, as most messages are, a paragraph without asking the rules of other blocks, none of which can match there. */
export function useSingleLines(md: MarkdownIt): void {
  const rule = md.core.ruler.__rules__.find(({ name }) => name === 'block')!.fn
  md.core.ruler.at('block', (state) => {
    if (isParagraph(state.src)) pushParagraph(state)
    else rule(state)
  })
}

function isParagraph(text: string): boolean {
  const last = text.at(-1)
  return last !== undefined && last !== ' ' && last !== '\t' && !text.includes('\n') && !blockStart.test(text)
}

function pushParagraph(state: StateCore): void {
  const open = new state.Token('paragraph_open', 'p', 1)
  const inline = new state.Token('inline', '', 0)
  const close = new state.Token('paragraph_close', 'p', -1)
  for (const token of [open, inline, close]) token.block = true
  open.map = [0, 1]
  inline.map = [0, 1]
  inline.level = 1
  inline.content = state.src
  inline.children = []
  state.tokens.push(open, inline, close)
}
