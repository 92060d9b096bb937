import type { MarkdownIt } from 'markdown-it'
import { findLinkifierMatches } from '../linkifiers.ts'
import { contextOf } from '../render-context.ts'
import { rewriteText, type TextPart } from './rewrite-text.ts'

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
