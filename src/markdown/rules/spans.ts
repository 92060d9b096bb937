import type { MarkdownIt, StateInline } from 'markdown-it'

/** Attributes in the order in which they are written. */
export type Attributes = [name: string, value: string][]

/** Pushes text that no later rule changes. */
export function pushLiteral(state: StateInline, text: string): void {
  state.push('literal', '', 0).content = text
}

/** Pushes `<tag …>text</tag>` as tokens. The text is a `literal`: no later rule changes it. */
export function pushElement(state: StateInline, tag: string, attributes: Attributes, text: string): void {
  state.push(`${tag}_open`, tag, 1).attrs = attributes
  if (text !== '') pushLiteral(state, text)
  state.push(`${tag}_close`, tag, -1)
}

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
