import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { type FileAddress, fileAt } from '../pages-of-files.ts'
import { contextOf, loadedFrom, type RenderContext, type UploadedImage } from '../render-types.ts'
import { type Attributes, pushElement } from './emphasis.ts'
import { uploadPathOf } from './links.ts'
import { findWebsitePreviews, renderWebsitePreview, type ShownWebsite } from './websites.ts'

/** Number of media above which a message gets no previews at all: it is a list, not a gallery. */
const maxPreviews = 24

/** A link outside quotes, and its position. */
interface FoundLink {
  /** Index of the block's inline token. */
  block: number
  href: string
  title: string
  /** Whether the block consists of nothing but this address. */
  alone: boolean
}

/** A preview shown below its link. */
interface ShownMedium {
  medium: Medium
  /** The address from which readers load it, or that of its picture. */
  source: string
  /** Address of a video on another server, from which it is played. */
  original?: string
}

/** The preview that is shown below a link. */
type Shown = ({ kind: 'medium' } & ShownMedium) | ShownWebsite

type Preview = FoundLink & { shown: Shown }

/** The data of a preview, kept until its HTML is written. */
type WrittenPreview = Pick<Preview, 'href' | 'title' | 'shown'> & { uploaded: UploadedImage | undefined }

/** Puts the preview after the block that links to it, or after the whole table if it is in one. */
export function useMediaPreviews(md: MarkdownIt): void {
  md.core.ruler.push('media_previews', (state) => {
    const context = contextOf(state.env)
    if (!context.hasLink) return
    const links = findLinks(state)
    const previews = choosePreviews(links, context)
    context.hasImage ||=
      links.some(({ href }) => mediumOf(href)?.kind === 'image' && uploadPathOf(href) !== undefined) ||
      previews.some(isPicture)
    if (previews.length > 0) insertPreviews(state, previews)
  })
  md.renderer.rules.media_preview = (tokens, index) => renderPreview(md, tokens[index]!)
}

function isPicture({ shown }: Pick<Preview, 'shown'>): boolean {
  return shown.kind === 'medium' && shown.medium.kind === 'image'
}

/** Returns all links outside quotes. */
function findLinks(state: StateCore): FoundLink[] {
  const links: FoundLink[] = []
  let quoteDepth = 0
  for (const [block, token] of state.tokens.entries()) {
    if (token.tag === 'blockquote') quoteDepth += token.nesting
    if (quoteDepth > 0 || token.type !== 'inline') continue
    const children = token.children ?? []
    for (const [index, child] of children.entries()) {
      if (child.type !== 'link_open') continue
      const isBare = child.info === 'auto'
      const alone = isBare && children.every((other, at) => isPartOfLink(other, at, index))
      const title = isBare ? '' : textOfLink(children, index)
      links.push({ block, href: String(child.attrGet('href')), alone, title })
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

/** Chooses each address once, in the order of the links. */
function choosePreviews(links: readonly FoundLink[], context: RenderContext): Preview[] {
  const seen = new Set<string>()
  const candidates = links.filter(({ href }) => !seen.has(href) && seen.add(href))
  const media = mediaOf(context.lookups.inlineImagePreview ? candidates : [], context)
  if (media.size > maxPreviews) return []
  const pages = candidates.filter(({ href }) => !media.has(href) && !isFile(href))
  const websites = findWebsitePreviews(
    context,
    pages.map(({ href }) => href),
  )
  return candidates.flatMap((link): Preview[] => {
    const shown = media.get(link.href) ?? websites.get(link.href)
    return shown ? [{ ...link, shown }] : []
  })
}

/** Returns the media of links, by address. Sounds are played at their links, or not at all. */
function mediaOf(links: readonly FoundLink[], context: RenderContext): Map<string, Shown> {
  const media = new Map<string, Shown>()
  for (const { href } of links) {
    const medium = mediumOf(href)
    const shown = medium && medium.kind !== 'audio' ? shownMedium(medium, context) : undefined
    if (shown) media.set(href, { kind: 'medium', ...shown })
  }
  return media
}

function shownMedium(medium: Medium, { lookups }: RenderContext): ShownMedium | undefined {
  const address =
    medium.kind === 'youtube' ? `https://i.ytimg.com/vi/${medium.videoId}/default.jpg` : medium.source
  const source = loadedFrom(address, lookups)
  if (source === undefined) return undefined
  const isElsewhere = medium.kind === 'video' && source !== address
  return { medium, source, ...(isElsewhere ? { original: address } : {}) }
}

/** Whether an address is a file rather than a page, shown or not. */
function isFile(href: string): boolean {
  const kind = mediumOf(href)?.kind
  return kind !== undefined && kind !== 'youtube'
}

function insertPreviews(state: StateCore, previews: readonly Preview[]): void {
  const insertions = new Map<number, Token[]>()
  for (const preview of previews) {
    const position = positionAfter(state.tokens, preview.block)
    const tokens = insertions.get(position) ?? []
    insertions.set(position, tokens)
    tokens.push(previewToken(state, preview))
    if (preview.alone && isFile(preview.href)) removeParagraph(state.tokens, preview.block)
  }
  state.tokens = state.tokens.flatMap((token, index) => [token, ...(insertions.get(index) ?? [])])
}

/** Returns the index of the token that closes the block of an inline token. */
function positionAfter(tokens: readonly Token[], block: number): number {
  if (!/^t[hd]_open$/.test(tokens[block - 1]!.type)) return block + 1
  let index = block
  while (tokens[index]!.type !== 'table_close') index++
  return index
}

/** Removes the text of an address shown as a picture or a video. */
function removeParagraph(tokens: readonly Token[], block: number): void {
  if (tokens[block - 1]!.type !== 'paragraph_open') return
  tokens[block - 1]!.hidden = true
  tokens[block]!.children = []
  tokens[block + 1]!.hidden = true
}

function previewToken(state: StateCore, { href, title, shown }: Preview): Token {
  const token = new state.Token('media_preview', 'div', 0)
  token.block = true
  const uploaded = isPicture({ shown }) ? uploadedImageAt(href, contextOf(state.env)) : undefined
  token.meta = { href, title, shown, uploaded } satisfies WrittenPreview
  return token
}

function uploadedImageAt(href: string, { lookups }: RenderContext): UploadedImage | undefined {
  const path = uploadPathOf(href)
  return path === undefined ? undefined : lookups.uploadedImage?.(path)
}

function renderPreview(md: MarkdownIt, token: Token): string {
  const { href, title, shown, uploaded } = token.meta as WrittenPreview
  if (shown.kind === 'website') return renderWebsitePreview(md, href, shown)
  const { medium, source, original } = shown
  const tag = (name: string, attributes: Attributes) =>
    `<${name}${md.renderer.renderAttrs({ attrs: attributes })}>`
  const box = (className: string) => tag('div', [['class', className]])
  if (medium.kind === 'youtube') {
    const link = tag('a', [
      ['data-id', medium.videoId],
      ['href', href],
    ])
    return `${box('youtube-video message_inline_image')}${link}${tag('img', [['src', source]])}</a></div>`
  }
  const link = tag(
    'a',
    title === ''
      ? [['href', medium.link]]
      : [
          ['href', medium.link],
          ['title', title],
        ],
  )
  if (medium.kind === 'image')
    return `${box('message_inline_image')}${link}${tag('img', imageAttributes(source, uploaded))}</a></div>`
  const attributes: Attributes = [
    ['preload', 'metadata'],
    ['src', source],
  ]
  const video = tag(
    'video',
    original === undefined ? attributes : [['data-video-original-url', original], ...attributes],
  )
  return `${box('message_inline_image message_inline_video')}${link}${video}</video></a></div>`
}

/** Returns the thumbnail of an uploaded picture, with the size that clients reserve while it loads. */
function imageAttributes(source: string, uploaded: UploadedImage | undefined): Attributes {
  if (!uploaded) return [['src', source]]
  return [
    ['data-original-content-type', uploaded.contentType],
    ['data-original-dimensions', `${uploaded.width}x${uploaded.height}`],
    ['src', uploaded.thumbnailUrl],
  ]
}

/**
 * Parses `![title](address)`: a player for a sound, an uploaded picture inline, and otherwise a link as without the `!`, with the preview of
 * any link. Source: the public API's message formatting, "Audio Players", "Images".
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
  if (!silent) replaceByMedium(state, first, contextOf(state.env))
  return true
}

function linkRule(state: StateInline) {
  return state.md.inline.ruler.__rules__.find(({ name }) => name === 'link')!.fn
}

/** Replaces the link just parsed by a player or a picture, if it leads to a sound, or to an uploaded picture of known size. */
function replaceByMedium(state: StateInline, first: number, context: RenderContext): void {
  const href = String(state.tokens[first]!.attrGet('href') ?? '')
  const upload = uploadPathOf(href)
  const medium = mediumOf(href)
  const uploaded = medium?.kind === 'image' ? uploadedImageAt(href, context) : undefined
  const sound = medium?.kind === 'audio' ? loadedFrom(medium.source, context.lookups) : undefined
  if (!uploaded && sound === undefined) return
  const title = textOfLink(state.tokens, first)
  state.tokens.length = first
  state.tokens_meta.length = first
  if (uploaded) pushPicture(state, href, title, uploaded)
  else pushPlayer(state, href, sound!, title)
  context.hasImage ||= uploaded !== undefined
  if (upload !== undefined) context.uploadPaths.add(upload)
  context.hasLink = true
}

/** Pushes the player of a sound. `source`: the address from which readers load it. */
function pushPlayer(state: StateInline, href: string, source: string, title: string): void {
  const attributes: Attributes = [['controls', '']]
  if (source !== href) attributes.push(['data-original-url', href])
  attributes.push(['preload', 'metadata'], ['src', source])
  if (title !== '') attributes.push(['title', title])
  pushElement(state, 'audio', attributes, '')
}

function pushPicture(state: StateInline, href: string, title: string, uploaded: UploadedImage): void {
  const [source, ...facts] = imageAttributes(href, uploaded).toReversed()
  state.push('inline_picture', 'img', 0).attrs = [
    ['alt', title],
    ['class', 'inline-image'],
    ...facts.toReversed(),
    ['data-original-src', href],
    source!,
  ]
}

export function useMediaSyntax(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'media', parseMediaSyntax)
}

/** The medium to which a link leads, judging by its address. */
type Medium = ({ kind: 'image' | 'video' | 'audio' } & FileAddress) | { kind: 'youtube'; videoId: string }

const imageEnding = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoEnding = /\.(?:mp4|webm|mov)$/i
const audioEnding = /\.(?:aac|flac|mp3|mpeg|wav)$/i

/** Returns the medium at an absolute web address or a path of the realm; undefined for anything else. */
function mediumOf(href: string): Medium | undefined {
  if (!/^(?:https?:\/\/|\/)/i.test(href)) return undefined
  const path = href.split(/[?#]/, 1)[0]!
  const kind = kindOf(path)
  if (kind !== undefined) {
    const file = fileAt(href, kind)
    return file && { kind, ...file }
  }
  const videoId = youtubeVideoId(href)
  return videoId === undefined ? undefined : { kind: 'youtube', videoId }
}

function kindOf(path: string): 'image' | 'video' | 'audio' | undefined {
  if (imageEnding.test(path)) return 'image'
  if (videoEnding.test(path)) return 'video'
  return audioEnding.test(path) ? 'audio' : undefined
}

/** Returns the id of a YouTube video from any form of its address. */
function youtubeVideoId(href: string): string | undefined {
  const match =
    /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/|v\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i.exec(
      href.slice(0, 300),
    )
  return match?.[1]
}
