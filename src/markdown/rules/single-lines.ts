import type { MarkdownIt, StateCore } from 'markdown-it'

/** The beginning of a block other than a paragraph, in a text of one line. */
const blockStart = /^(?:[\s#>*+\-_`~]|\d+\.)/

/**
 * Makes a text of one line, as most messages are, a paragraph without asking the rules of all blocks, none of
 * which can begin there.
 */
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
