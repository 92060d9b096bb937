import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { type Medium, mediumOf } from '../media-links.ts'
import { contextOf, type RenderContext } from '../render-context.ts'
import { uploadPathOf } from './links.ts'
import { type Attributes, pushElement } from './spans.ts'

/** A message that links to more media than this gets no previews at all: it is a list, not a gallery. */
const mostPreviews = 24

/** A link that gets a preview, where it stands and how. */
interface MediaLink {
  /** Index of the block's inline token in the stream. */
  block: number
  href: string
  title: string
  medium: Exclude<Medium, { kind: 'audio' }>
  /** The block consists of nothing but this address. */
  alone: boolean
}

/** The preview is put behind the block that links to the medium, behind the whole table if it is in one. */
export function useMediaPreviews(md: MarkdownIt): void {
  md.core.ruler.push('media_previews', (state) => {
    const context = contextOf(state.env)
    const links = findMediaLinks(state)
    if (links.some(({ medium, href }) => medium.kind === 'image' && isUpload(href))) context.hasImage = true
    const chosen = choosePreviews(links)
    if (chosen.length === 0 || !context.lookups.inlineImagePreview) return
    if (chosen.some(({ medium }) => medium.kind === 'image')) context.hasImage = true
    insertPreviews(state, chosen)
  })
  md.renderer.rules.media_preview = (tokens, index) => renderPreview(md, tokens[index]!)
}

function isUpload(href: string): boolean {
  return uploadPathOf(href) !== undefined
}

/** All links to media outside quotes. */
function findMediaLinks(state: StateCore): MediaLink[] {
  const links: MediaLink[] = []
  let quoteDepth = 0
  for (const [block, token] of state.tokens.entries()) {
    if (token.tag === 'blockquote') quoteDepth += token.nesting
    if (quoteDepth > 0 || token.type !== 'inline') continue
    const children = token.children ?? []
    for (const [index, child] of children.entries()) {
      if (child.type !== 'link_open') continue
      const href = String(child.attrGet('href'))
      const medium = mediumOf(href)
      if (medium === undefined || medium.kind === 'audio') continue
      const isBare = child.info === 'auto'
      const alone = isBare && children.every((other, at) => isPartOfLink(other, at, index))
      links.push({ block, href, medium, alone, title: isBare ? '' : textOfLink(children, index) })
    }
  }
  return links
}

/** Whether a token is one of the three of a bare link, or empty. */
function isPartOfLink(token: Token, at: number, link: number): boolean {
  return (at >= link && at <= link + 2) || (token.type === 'text' && token.content.trim() === '')
}

function textOfLink(children: readonly Token[], open: number): string {
  let text = ''
  for (let index = open + 1; index < children.length && children[index]!.type !== 'link_close'; index++) {
    text += children[index]!.content
  }
  return text
}

/** Each address once; none at all when there are too many. */
function choosePreviews(links: readonly MediaLink[]): MediaLink[] {
  const seen = new Set<string>()
  const chosen = links.filter(({ href }) => !seen.has(href) && seen.add(href))
  return chosen.length > mostPreviews ? [] : chosen
}

function insertPreviews(state: StateCore, links: readonly MediaLink[]): void {
  const places = new Map<number, Token[]>()
  for (const link of links) {
    const place = placeAfter(state.tokens, link.block)
    const previews = places.get(place) ?? []
    places.set(place, previews)
    previews.push(previewToken(state, link))
    if (link.alone && link.medium.kind === 'image') removeParagraph(state.tokens, link.block)
  }
  state.tokens = state.tokens.flatMap((token, index) => [token, ...(places.get(index) ?? [])])
}

/** Index of the token that closes the block an inline token is the content of. */
function placeAfter(tokens: readonly Token[], block: number): number {
  if (!/^t[hd]_open$/.test(tokens[block - 1]!.type)) return block + 1
  let index = block
  while (tokens[index]!.type !== 'table_close') index++
  return index
}

/** An address that is shown as a picture need not be shown as text too. */
function removeParagraph(tokens: readonly Token[], block: number): void {
  if (tokens[block - 1]!.type !== 'paragraph_open') return
  tokens[block - 1]!.hidden = true
  tokens[block]!.children = []
  tokens[block + 1]!.hidden = true
}

function previewToken(state: StateCore, { href, title, medium }: MediaLink): Token {
  const token = new state.Token('media_preview', 'div', 0)
  token.block = true
  token.meta = { href, title, medium }
  return token
}

function renderPreview(md: MarkdownIt, token: Token): string {
  const { href, title, medium } = token.meta as Pick<MediaLink, 'href' | 'title' | 'medium'>
  const tag = (name: string, attributes: Attributes) =>
    `<${name}${md.renderer.renderAttrs({ attrs: attributes })}>`
  const box = (className: string) => tag('div', [['class', className]])
  if (medium.kind === 'youtube') {
    const link = tag('a', [
      ['data-id', medium.videoId],
      ['href', href],
    ])
    const picture = tag('img', [['src', `https://i.ytimg.com/vi/${medium.videoId}/default.jpg`]])
    return `${box('youtube-video message_inline_image')}${link}${picture}</a></div>`
  }
  const link = tag(
    'a',
    title === ''
      ? [['href', href]]
      : [
          ['href', href],
          ['title', title],
        ],
  )
  if (medium.kind === 'image')
    return `${box('message_inline_image')}${link}${tag('img', [['src', href]])}</a></div>`
  const video = tag('video', [
    ['preload', 'metadata'],
    ['src', href],
  ])
  return `${box('message_inline_image message_inline_video')}${link}${video}</video></a></div>`
}

/**
 * `![title](address)`: a player for an uploaded sound; for everything else a link as without the `!`, which
 * gets its preview like any link. Source: the public API's message formatting, "Audio Players".
 */
function parseMediaSyntax(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 0x21 || src.charCodeAt(pos + 1) !== 0x5b || state.linkLevel > 0) return false
  const first = state.tokens.length + (state.pending === '' ? 0 : 1)
  state.pos++
  const isLink = linkRule(state)(state, silent)
  if (!isLink) {
    state.pos = pos
    return false
  }
  if (!silent) replaceByPlayer(state, first, contextOf(state.env))
  return true
}

function linkRule(state: StateInline) {
  return state.md.inline.ruler.__rules__.find(({ name }) => name === 'link')!.fn
}

/** Puts a player in the place of the link that was just parsed, if it leads to an uploaded sound. */
function replaceByPlayer(state: StateInline, first: number, context: RenderContext): void {
  const link = state.tokens[first]!
  const href = String(link.attrGet('href') ?? '')
  const upload = uploadPathOf(href)
  if (upload === undefined || mediumOf(href)?.kind !== 'audio') return
  const title = textOfLink(state.tokens, first)
  state.tokens.length = first
  state.tokens_meta.length = first
  const attributes: Attributes = [
    ['controls', ''],
    ['preload', 'metadata'],
    ['src', href],
  ]
  if (title !== '') attributes.push(['title', title])
  pushElement(state, 'audio', attributes, '')
  context.uploadPaths.add(upload)
  context.hasLink = true
}

export function useMediaSyntax(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'media', parseMediaSyntax)
}
