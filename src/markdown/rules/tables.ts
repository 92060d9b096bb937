import type { MarkdownIt, StateBlock, Token } from 'markdown-it'
import { contextOf } from '../render-context.ts'

/**
 * Number of columns above which a table is shown as text, since each short row is filled with empty cells.
 */
const maxColumns = 100

/**
 * Cells of all tables of a message, of which ten thousand characters write at most 5,000. The parser fills short rows up: lines of one
 * letter were 65,000 cells, 0.2 to 0.4 s. The row at which a table has too many is text, like those after it.
 */
const maxCells = 6_000

/**
 * Wraps the parser's table rule: limits the width and the cells, writes alignment as clients read it, adds a missing body.
 */
export function useTables(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'table')!.fn
  md.block.ruler.at(
    'table',
    (state, startLine, endLine, silent) => {
      const columns = columnsIn(state, startLine)
      if (columns > maxColumns) return false
      const context = contextOf(state.env)
      const rows = Math.floor((maxCells - context.tableCells) / columns) - 1
      if (rows < 1) return false
      const first = state.tokens.length
      if (!rule(state, startLine, Math.min(endLine, startLine + 2 + rows), silent)) return false
      if (!silent) context.tableCells += finishTable(state, first)
      return true
    },
    { alt: ['paragraph', 'reference'] },
  )
}

/** Returns the columns of a table that has this head. */
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
