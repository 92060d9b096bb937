import {
  attributeOf,
  escapeAttribute,
  escapeText,
  type HtmlPart,
  htmlParts,
  unescapeHtml,
} from './html-parts.ts'
import { emojiOf, momentIn, plainTextOf, type WriteMoment } from './plain-text.ts'

/** The organization's address, and words that replace what a mail cannot show. */
export interface MailRendering {
  /** `https://chat.example.com` */
  readonly origin: string
  /** Words in place of a spoiler. */
  readonly hidden: string
  readonly momentOf: WriteMoment
}

/** Elements that preview the target of a link: a picture, a film, a website. */
const PREVIEWS: ReadonlySet<string> = new Set([
  'message_inline_image',
  'message_inline_video',
  'message_embed',
  'youtube-video',
])

/** Tags with the same meaning everywhere. Everything else is removed: classes, our styles, and pictures that would be fetched. */
const PLAIN_TAGS: ReadonlySet<string> = new Set(
  'p br hr ul ol li blockquote pre code em strong del h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(
    ' ',
  ),
)
/** Mail programs have no style for these. */
const STYLES: Readonly<Record<string, string>> = {
  blockquote: ' style="margin:0 0 0 4px;padding-left:8px;border-left:3px solid #ccc"',
  pre: ' style="white-space:pre-wrap;background:#f4f4f4;padding:8px"',
}

/**
 * Returns rendered Markdown for a mail: links are absolute, pictures become links, emoji characters, and formulas their TeX. Spoilers
 * stay hidden. Mail programs have nothing to fetch.
 */
export function htmlForMail(html: string, rendering: MailRendering): string {
  const ends: string[] = []
  let written = ''
  for (const part of mailParts(html, rendering)) {
    if (part.kind === 'text') written += part.html
    else if (part.kind === 'close') written += ends.pop() ?? ''
    else if (part.kind === 'void') written += voidTag(part)
    else {
      const [begin, end] = openTag(part, rendering.hidden)
      written += begin
      ends.push(end)
    }
  }
  return written
}

/** Returns a rendered message as text, with the addresses of links after their names. */
export function textForMail(html: string, rendering: MailRendering): string {
  let written = ''
  let link: { readonly url: string; readonly from: number } | undefined
  for (const part of mailParts(html, rendering)) {
    if (part.tag === 'hidden') {
      if (part.kind === 'open') written += `<p>${escapeText(rendering.hidden)}`
      else written += '</p>'
      continue
    }
    if (part.tag === 'a' && part.kind === 'close' && link) {
      const name = plainTextOf(written.slice(link.from), { hideSpoilers: true })
      if (!link.url.endsWith(name)) written += ` (${escapeText(link.url)})`
      link = undefined
    }
    if (part.tag === 'a' && part.kind === 'open') {
      const url = attributeOf(part.html, 'href')
      link = url === undefined ? undefined : { url, from: written.length }
      continue
    }
    if (part.tag !== 'a') written += part.html
  }
  return plainTextOf(written, { hideSpoilers: true })
}

function openTag({ tag, html }: HtmlPart, hidden: string): [begin: string, end: string] {
  if (tag === 'hidden') return [`<p><em>${escapeText(hidden)}`, '</em></p>']
  if (tag === 'a') {
    const url = attributeOf(html, 'href')
    return url === undefined ? ['', ''] : [`<a href="${escapeAttribute(url)}">`, '</a>']
  }
  if (tag === 'ol') {
    const start = Number(attributeOf(html, 'start') ?? 1)
    return [start === 1 ? '<ol>' : `<ol start="${start}">`, '</ol>']
  }
  if (PLAIN_TAGS.has(tag)) return [`<${tag}${STYLES[tag] ?? ''}>`, `</${tag}>`]
  if (attributeOf(html, 'class')?.startsWith('user-')) return ['<strong>', '</strong>']
  return ['', '']
}

function voidTag({ tag, html }: HtmlPart): string {
  if (tag === 'img') return escapeText(attributeOf(html, 'alt') ?? '')
  return PLAIN_TAGS.has(tag) ? `<${tag}>` : ''
}

/**
 * Yields the parts for a mail. Previews become links, unless an earlier link has the same address; spoilers become an empty `hidden`
 * element; formulas become code, emoji characters, and times those of the reader.
 */
function* mailParts(html: string, rendering: MailRendering): Generator<HtmlPart> {
  const linked = new Set<string>()
  /** The open element that is written in another way, with those inside it; and how it is written when it ends. */
  let replaced: Replaced | undefined
  for (const part of htmlParts(html)) {
    if (replaced) {
      replaced.depth += part.kind === 'open' ? 1 : part.kind === 'close' ? -1 : 0
      replaced.see(part)
      if (replaced.depth === 0) {
        yield* replaced.written(linked)
        replaced = undefined
      }
      continue
    }
    if (part.kind === 'open') replaced = replacementOf(part, rendering)
    if (replaced) continue
    if (part.tag === 'a' && part.kind === 'open') {
      const href = attributeOf(part.html, 'href')
      if (href === undefined) yield { ...part, html: '<a>' }
      else {
        const url = wholeAddress(href, rendering.origin)
        linked.add(url)
        yield { ...part, html: `<a href="${escapeAttribute(url)}">` }
      }
    } else yield part
  }
}

interface Replaced {
  depth: number
  see(part: HtmlPart): void
  written(linked: Set<string>): HtmlPart[]
}

function replacementOf(part: HtmlPart, { origin, momentOf }: MailRendering): Replaced | undefined {
  const { html } = part
  const classes = (attributeOf(html, 'class') ?? '').split(' ')
  const emoji = emojiOf(html)
  const characters = emoji ?? momentIn(part, momentOf)
  if (characters !== undefined) return { depth: 1, see: () => {}, written: () => [textPart(characters)] }
  if (classes.includes('spoiler-content')) {
    const empty = (kind: 'open' | 'close'): HtmlPart => ({ kind, tag: 'hidden', html: '' })
    return { depth: 1, see: () => {}, written: () => [empty('open'), empty('close')] }
  }
  if (classes.includes('katex')) return formula()
  return classes.some((name) => PREVIEWS.has(name)) ? preview(origin) : undefined
}

/** KaTeX includes the source of a formula in its rendering. */
function formula(): Replaced {
  let isSource = false
  let source = ''
  return {
    depth: 1,
    see(part) {
      if (part.tag === 'annotation') isSource = part.kind === 'open'
      else if (isSource && part.kind === 'text') source += unescapeHtml(part.html)
    },
    written: () => [
      { kind: 'open', tag: 'code', html: '<code>' },
      textPart(source),
      { kind: 'close', tag: 'code', html: '</code>' },
    ],
  }
}

function preview(origin: string): Replaced {
  let url: string | undefined
  return {
    depth: 1,
    see({ html }) {
      const href = attributeOf(html, 'href')
      if (href !== undefined) url ??= wholeAddress(href, origin)
    },
    written(linked) {
      if (url === undefined || linked.has(url)) return []
      linked.add(url)
      return [
        { kind: 'open', tag: 'p', html: '<p>' },
        { kind: 'open', tag: 'a', html: `<a href="${escapeAttribute(url)}">` },
        textPart(url),
        { kind: 'close', tag: 'a', html: '</a>' },
        { kind: 'close', tag: 'p', html: '</p>' },
      ]
    },
  }
}

function textPart(text: string): HtmlPart {
  return { kind: 'text', tag: '', html: escapeText(text) }
}

function wholeAddress(href: string, origin: string): string {
  if (href.startsWith('#')) return `${origin}/${href}`
  return href.startsWith('/') && !href.startsWith('//') ? `${origin}${href}` : href
}
