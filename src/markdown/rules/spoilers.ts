import type { StateBlock } from 'markdown-it'

/**
 * Parses a spoiler's header, which is one line of Markdown, into the current token stream. Its mentions and
 * links count like those of the message, because its inline tokens are parsed with all others.
 */
export function renderSpoilerHeader(state: StateBlock, header: string): void {
  if (header === '') return
  const inner = new state.md.block.State(header, state.md, state.env, state.tokens)
  inner.level = state.level
  state.md.block.tokenize(inner, 0, inner.lineMax)
}
