import type { MarkdownIt, StateBlock, Token } from 'markdown-it'

/**
 * Number of columns above which a table is shown as text, since each short row is filled with empty cells.
 */
const maxColumns = 100

/**
 * Wraps the parser's table rule: limits the width, writes alignment as clients read it, adds a missing body.
 */
export function useTables(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'table')!.fn
  md.block.ruler.at(
    'table',
    (state, startLine, endLine, silent) => {
      if (isTooWide(state, startLine)) return false
      const first = state.tokens.length
      if (!rule(state, startLine, endLine, silent)) return false
      if (!silent) finishTable(state, first)
      return true
    },
    { alt: ['paragraph', 'reference'] },
  )
}

function isTooWide(state: StateBlock, line: number): boolean {
  let columns = 0
  for (let pos = state.bMarks[line]!; pos < state.eMarks[line]!; pos++) {
    if (state.src.charCodeAt(pos) === 0x7c && ++columns > maxColumns + 1) return true
  }
  return false
}

function finishTable(state: StateBlock, first: number): void {
  const head: Token[] = []
  let hasBody = false
  for (let index = first; index < state.tokens.length; index++) {
    const token = state.tokens[index]!
    if (token.type === 'tbody_open') hasBody = true
    if (token.type === 'th_open') head.push(token)
    const style = token.attrGet('style')
    if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`)
  }
  if (!hasBody) addEmptyRow(state, head)
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
