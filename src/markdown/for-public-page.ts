import { attributeOf, escapeAttribute, escapeText, type HtmlPart, htmlParts } from './html-parts.ts'
import { emojiOf } from './plain-text.ts'

/** Tags with the same meaning everywhere. Their attributes are removed or rewritten. */
const PLAIN_TAGS: ReadonlySet<string> = new Set('br hr ul ol code em strong del thead tbody tr'.split(' '))
/** Elements whose text has its own direction. */
const DIRECTED_TAGS: ReadonlySet<string> = new Set('p li blockquote h1 h2 h3 h4 h5 h6 th td'.split(' '))
/** Previews of other websites, since the text links to them; and the styled second form of formulas. */
const DROPPED: readonly string[] = ['message_inline_video', 'youtube-video', 'message_embed', 'katex-html']
/** The tags of a formula that browsers draw natively. */
const MATH_TAGS: ReadonlySet<string> = new Set(
  (
    'math semantics mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mmultiscripts ' +
    'mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose merror'
  ).split(' '),
)
/** Attributes of formulas: sizes, positions, letters, colours. None of them links or loads anything. */
const MATH_ATTRIBUTES = (
  'display displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground stretchy fence separator symmetric largeop ' +
  'movablelimits lspace rspace minsize maxsize accent accentunder linethickness notation width height depth voffset ' +
  'columnalign columnspacing columnlines rowalign rowspacing rowlines columnspan rowspan'
).split(' ')
const PLAIN_VALUE = /^[\w .#%+-]{1,100}$/

/** Pictures served by this server; no other server may learn who reads. */
const OWN_PICTURES = /^\/(?:user_uploads|user_avatars|external_content)\//

/**
 * Returns rendered Markdown for a page without scripts or styles of its own: spoilers open natively, emoji are characters, formulas
 * MathML, and pictures come only from this server. Links are `nofollow`.
 */
export function htmlForPublicPage(html: string): string {
  let written = ''
  const ends: string[] = []
  /** Number of open elements, counted from one whose content is not copied. */
  let skipped = 0
  for (const part of htmlParts(html)) {
    if (skipped > 0) {
      if (part.kind === 'open') skipped += 1
      else if (part.kind === 'close') skipped -= 1
      continue
    }
    if (part.kind === 'text') written += part.html
    else if (part.kind === 'close') written += ends.pop() ?? ''
    else if (part.kind === 'void') written += voidTag(part)
    else {
      const classes = (attributeOf(part.html, 'class') ?? '').split(' ')
      const emoji = emojiOf(part.html)
      if (emoji !== undefined) written += escapeText(emoji)
      const isDropped = DROPPED.some((name) => classes.includes(name))
      // A formula also contains its source.
      if (emoji !== undefined || isDropped || part.tag === 'annotation') {
        skipped = 1
        continue
      }
      const [begin, end] = openTag(part, classes)
      written += begin
      ends.push(end)
    }
  }
  return written
}

function openTag({ tag, html }: HtmlPart, classes: readonly string[]): [begin: string, end: string] {
  if (classes.includes('spoiler-block')) return ['<details>', '</details>']
  if (classes.includes('spoiler-header')) return ['<summary dir="auto">', '</summary>']
  if (classes.includes('spoiler-content')) return ['<div>', '</div>']
  if (tag === 'a') return linkTag(html)
  if (tag === 'ol') {
    const start = Number(attributeOf(html, 'start') ?? 1)
    return [start === 1 ? '<ol>' : `<ol start="${start}">`, '</ol>']
  }
  if (tag === 'time') {
    const moment = attributeOf(html, 'datetime')
    return [moment === undefined ? '<time>' : `<time datetime="${escapeAttribute(moment)}">`, '</time>']
  }
  // These blocks may be wider than the page: the tab index lets keyboard users scroll them.
  if (tag === 'pre') return ['<pre dir="ltr" tabindex="0">', '</pre>']
  if (tag === 'table') return ['<table tabindex="0">', '</table>']
  if (DIRECTED_TAGS.has(tag)) return [`<${tag} dir="auto">`, `</${tag}>`]
  if (MATH_TAGS.has(tag)) return [mathTag(tag, html), `</${tag}>`]
  if (PLAIN_TAGS.has(tag)) return [`<${tag}>`, `</${tag}>`]
  if (classes.some((name) => name.startsWith('user-'))) return ['<strong>', '</strong>']
  return ['', '']
}

function mathTag(tag: string, html: string): string {
  const attributes = MATH_ATTRIBUTES.flatMap((name) => {
    const value = attributeOf(html, name)
    return value !== undefined && PLAIN_VALUE.test(value) ? [` ${name}="${value}"`] : []
  })
  return `<${tag}${attributes.join('')}>`
}

function linkTag(html: string): [begin: string, end: string] {
  const href = attributeOf(html, 'href')
  if (href === undefined) return ['', '']
  if (href.startsWith('#')) return [`<a href="/${escapeAttribute(href)}">`, '</a>']
  if (href.startsWith('/') && !href.startsWith('//')) return [`<a href="${escapeAttribute(href)}">`, '</a>']
  // The renderer allows only these schemes, but this page does not rely on that.
  if (!/^(?:https?|mailto):/i.test(href)) return ['', '']
  return [`<a href="${escapeAttribute(href)}" rel="nofollow ugc noopener noreferrer">`, '</a>']
}

function voidTag({ tag, html }: HtmlPart): string {
  if (tag !== 'img') return PLAIN_TAGS.has(tag) ? `<${tag}>` : ''
  const [src, alt] = [attributeOf(html, 'src') ?? '', attributeOf(html, 'alt') ?? '']
  if (!OWN_PICTURES.test(src)) return escapeText(alt)
  const isEmoji = attributeOf(html, 'class') === 'emoji'
  return `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}" loading="lazy"${isEmoji ? ' class="emoji"' : ''}>`
}
