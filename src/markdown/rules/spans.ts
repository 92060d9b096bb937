import type { StateInline } from 'markdown-it'

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
