import MarkdownItParser, { type MarkdownIt } from 'markdown-it'
import { escapeText } from './html-parts.ts'
import { contextOf } from './render-types.ts'
import { useChannelLinks } from './rules/channel-links.ts'
import { useEmoji } from './rules/emoji.ts'
import { useEmphasis, useEntities } from './rules/emphasis.ts'
import { lineBreakBefore, useCodeBlocks, useFences } from './rules/fences.ts'
import { useGlobalTimes } from './rules/global-times.ts'
import { useLinks } from './rules/links.ts'
import { useLists, useSingleLines, useTables } from './rules/lists-and-tables.ts'
import { useMath } from './rules/math.ts'
import { useMediaPreviews, useMediaSyntax } from './rules/media.ts'
import { useMentions } from './rules/mentions.ts'
import { useQuotes } from './rules/quotes.ts'
import { useLinkifiers } from './rules/rewrite-text.ts'

/**
 * Builds the parser of messages. HTML in the source is text; Markdown not supported in messages (backslash escapes, underlined headings,
 * reference links) is off.
 */
function buildParser(): MarkdownIt {
  const md = new MarkdownItParser({
    html: false,
    // Our own rule handles bare addresses.
    linkify: false,
    breaks: true,
    typographer: false,
    maxNesting: 100,
  })
  md.disable(['reference', 'lheading', 'html_block', 'html_inline', 'escape', 'image', 'autolink'])
  // With these options, the following rules have nothing to do.
  md.disable(['linkify', 'replacements', 'smartquotes', 'strip_references'])

  useFences(md)
  useLists(md)
  useQuotes(md)
  useTables(md)

  useMentions(md)
  useChannelLinks(md)
  useMath(md)
  useEmphasis(md)
  useGlobalTimes(md)
  useLinks(md)
  useMediaSyntax(md)
  useLinkifiers(md)
  useCodeBlocks(md)
  useEmoji(md)
  useMediaPreviews(md)

  useEntities(md)
  useHeadings(md)
  useSingleLines(md)
  normaliseLineEnds(md)
  trackQuotes(md)
  writeText(md)
  return md
}

/** Requires text in a heading: number signs alone stay as they are. */
function useHeadings(md: MarkdownIt): void {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'heading')!.fn
  md.block.ruler.at(
    'heading',
    (state, startLine, endLine, silent) => {
      const start = state.bMarks[startLine]! + state.tShift[startLine]!
      const isBare = /^#[ \t#]*$/.test(state.src.slice(start, state.eMarks[startLine]))
      return !isBare && rule(state, startLine, endLine, silent)
    },
    { alt: ['paragraph', 'reference', 'blockquote'] },
  )
}

/** Skips the parser's own rule where it would change nothing; `render.ts` replaces the other characters that it looks for. */
function normaliseLineEnds(md: MarkdownIt): void {
  const rule = md.core.ruler.__rules__.find(({ name }) => name === 'normalize')!.fn
  md.core.ruler.at('normalize', (state) => {
    if (/[\r\0]/.test(state.src)) rule(state)
  })
}

/** Tracks the depth of quotes while inline text is parsed, since quoted mentions notify no one. */
function trackQuotes(md: MarkdownIt): void {
  md.core.ruler.at('inline', (state) => {
    const context = contextOf(state.env)
    for (const token of state.tokens) {
      if (token.tag === 'blockquote') context.quoteDepth += token.nesting
      else if (token.type === 'inline') md.inline.parse(token.content, md, state.env, token.children!)
    }
  })
}

function writeText(md: MarkdownIt): void {
  md.renderer.rules.text = (tokens, index) => escapeText(tokens[index]!.content)
  md.renderer.rules.literal = (tokens, index) => escapeText(tokens[index]!.content)
  // Struck-through text is shown as deleted text.
  md.renderer.rules.s_open = () => '<del>'
  md.renderer.rules.s_close = () => '</del>'
  // The parts of a spoiler have no line breaks between them, except before the content.
  md.renderer.rules.spoiler_open = (tokens, index) =>
    `${lineBreakBefore(tokens, index)}<div class="spoiler-block">`
  md.renderer.rules.spoiler_header_close = () => '</div>'
  md.renderer.rules.spoiler_content_close = () => '</div>'
  md.renderer.rules.spoiler_header_open = (tokens, index, _options, _env, self) =>
    `<div${self.renderAttrs(tokens[index]!)}>\n`
  md.renderer.rules.spoiler_content_open = md.renderer.rules.spoiler_header_open
}

let shared: MarkdownIt | undefined

/** The parser, built at first use. It keeps no state between messages. */
export function sharedParser(): MarkdownIt {
  shared ??= buildParser()
  return shared
}
