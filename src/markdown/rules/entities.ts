import type { MarkdownIt } from 'markdown-it'

/**
 * Shows a typed entity (`&amp;`, `&#39;`) as its character, which no other rule sees: that is how clients write
 * names with the characters of Markdown.
 */
export function useEntities(md: MarkdownIt): void {
  const rule = md.inline.ruler.__rules__.find(({ name }) => name === 'entity')!.fn
  md.inline.ruler.at('entity', (state, silent) => {
    if (!rule(state, silent)) return false
    if (!silent) Object.assign(state.tokens.at(-1)!, { type: 'literal', markup: '', info: '' })
    return true
  })
}

/** Returns a text with its entities as characters. */
export function withoutEntities({ utils }: MarkdownIt, text: string): string {
  // The decoder of entities removes backslashes too: two become one.
  return text.includes('&') ? utils.unescapeAll(text.replaceAll('\\', '\\\\')) : text
}
