import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { findLinkifierMatches } from '../linkifiers.ts'
import { contextOf } from '../render-types.ts'
import type { Attributes } from './emphasis.ts'

/** An element that replaces part of a text: `[start, end)` in UTF-16 units. */
export interface Replacement {
  start: number
  end: number
  text: string
  tag: string
  attributes: Attributes
}

/**
 * Replaces parts of the text of a parsed message. `find` receives all plain text: not code, names, or elements made by earlier rewriting;
 * text within links only if requested. It returns the replacements from left to right.
 */
export function rewriteText(
  state: StateCore,
  { inLinks }: { inLinks: boolean },
  find: (text: string) => Iterable<Replacement>,
): void {
  for (const block of state.tokens) {
    if (block.type !== 'inline' || block.children === null) continue
    let linkDepth = 0
    let changed = false
    const children: Token[] = []
    for (const token of block.children) {
      if (token.tag === 'a') linkDepth += token.nesting
      const isText = token.type === 'text' && (linkDepth === 0 || inLinks)
      const found = isText ? [...find(token.content)] : []
      if (found.length === 0) children.push(token)
      else {
        changed = true
        children.push(...replaced(state, token, found))
      }
    }
    if (changed) block.children = children
  }
}

function* replaced(
  state: StateCore,
  { content, level }: Token,
  found: readonly Replacement[],
): Generator<Token, void> {
  const tokenOf = (type: string, tag: string, nesting: -1 | 0 | 1, own: Partial<Token>) =>
    Object.assign(new state.Token(type, tag, nesting), { level, ...own })
  let rest = 0
  for (const { start, end, text, tag, attributes } of found) {
    if (start > rest) yield tokenOf('text', '', 0, { content: content.slice(rest, start) })
    yield tokenOf(`${tag}_open`, tag, 1, { attrs: attributes })
    yield tokenOf('literal', '', 0, { content: text, level: level + 1 })
    yield tokenOf(`${tag}_close`, tag, -1, {})
    rest = end
  }
  if (rest < content.length) yield tokenOf('text', '', 0, { content: content.slice(rest) })
}

/** Turns the matches of the realm's linkifiers into links, in text outside links. */
export function useLinkifiers(md: MarkdownIt): void {
  md.core.ruler.after('finish_links', 'linkifiers', (state) => {
    const context = contextOf(state.env)
    const { linkifiers } = context.lookups
    if (linkifiers.length === 0) return
    rewriteText(state, { inLinks: false }, (text) => {
      const matches = findLinkifierMatches(text, linkifiers, context.matching)
      context.hasLink ||= matches.length > 0
      return matches.map(({ url, ...match }) => ({
        ...match,
        tag: 'a',
        attributes: [['href', md.normalizeLink(url)]],
      }))
    })
  })
}
