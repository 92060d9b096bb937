import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { findLinkifierMatches } from '../linkifiers.ts'
import { contextOf } from '../render-types.ts'
import type { Attributes } from './emphasis.ts'

/** A part of a text, in an element of its own when it has a tag. */
export interface TextPart {
  text: string
  tag?: string
  attributes?: Attributes
}

/**
 * Replaces the text of a parsed message by parts. `rewrite` gets all plain text: not code, not names, not
 * what an earlier rewriting has put into an element; text within links only if asked for.
 */
export function rewriteText(
  state: StateCore,
  { inLinks }: { inLinks: boolean },
  rewrite: (text: string) => TextPart[],
): void {
  for (const block of state.tokens) {
    if (block.type !== 'inline' || block.children === null) continue
    let linkDepth = 0
    let changed = false
    const children: Token[] = []
    for (const token of block.children) {
      if (token.tag === 'a') linkDepth += token.nesting
      if (token.type !== 'text' || (linkDepth > 0 && !inLinks)) {
        children.push(token)
        continue
      }
      const parts = rewrite(token.content)
      if (parts.length === 1 && parts[0]!.tag === undefined) {
        children.push(token)
        continue
      }
      changed = true
      for (const part of parts) pushPart(state, children, part, token.level)
    }
    if (changed) block.children = children
  }
}

function pushPart(state: StateCore, tokens: Token[], part: TextPart, level: number): void {
  if (part.tag === undefined) {
    if (part.text === '') return
    const text = new state.Token('text', '', 0)
    text.content = part.text
    text.level = level
    tokens.push(text)
    return
  }
  const open = new state.Token(`${part.tag}_open`, part.tag, 1)
  open.attrs = part.attributes ?? null
  open.level = level
  const text = new state.Token('literal', '', 0)
  text.content = part.text
  text.level = level + 1
  const close = new state.Token(`${part.tag}_close`, part.tag, -1)
  close.level = level
  tokens.push(open, text, close)
}

/** Turns the matches of the realm's linkifiers into links, in text that is not part of a link already. */
export function useLinkifiers(md: MarkdownIt): void {
  md.core.ruler.after('finish_links', 'linkifiers', (state) => {
    const context = contextOf(state.env)
    const { linkifiers } = context.lookups
    if (linkifiers.length === 0) return
    rewriteText(state, { inLinks: false }, (text) => {
      const parts: TextPart[] = []
      let rest = 0
      for (const match of findLinkifierMatches(text, linkifiers, context.matching)) {
        if (match.start > rest) parts.push({ text: text.slice(rest, match.start) })
        const href = md.normalizeLink(match.url)
        parts.push({ text: match.text, tag: 'a', attributes: [['href', href]] })
        context.hasLink = true
        rest = match.end
      }
      if (rest < text.length || parts.length === 0) parts.push({ text: text.slice(rest) })
      return parts
    })
  })
}
