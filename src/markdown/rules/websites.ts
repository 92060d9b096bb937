import type { MarkdownIt } from 'markdown-it'
import { escapeText } from '../html-parts.ts'
import { loadedFrom, type RenderContext, type WebsitePreview } from '../render-types.ts'
import type { Attributes } from './emphasis.ts'

/** Number of a message's websites that get a preview: the first ones. */
const maxWebsites = 5

/** Limit of a title, in code points. */
const maxTitleLength = 256
const maxDescriptionLength = 512

/** A website preview shown below a link. */
export interface ShownWebsite {
  kind: 'website'
  preview: WebsitePreview
  /** The address from which readers load its picture, escaped for a string in a style. */
  picture: string
}

/** Returns previews by address, for the addresses of websites that have one. */
export function findWebsitePreviews(
  { lookups, unseenWebsites }: RenderContext,
  hrefs: readonly string[],
): Map<string, ShownWebsite> {
  const previews = new Map<string, ShownWebsite>()
  if (!lookups.websitePreview) return previews
  for (const href of hrefs.filter((href) => isWebsite(href, lookups.realmUrl)).slice(0, maxWebsites)) {
    const preview = lookups.websitePreview(href)
    if (preview === undefined) unseenWebsites.add(href)
    const address = preview ? styleUrl(preview.imageUrl) : undefined
    const picture = address === undefined ? undefined : loadedFrom(address, lookups)
    if (preview && picture !== undefined) previews.set(href, { kind: 'website', preview, picture })
  }
  return previews
}

/** Whether an address belongs to a website. The organization's own pages show nothing without a login. */
function isWebsite(href: string, realmUrl: string): boolean {
  const host = /^https?:\/\//i.test(href) ? hostOf(href) : undefined
  return host !== undefined && host !== hostOf(realmUrl)
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}

/** Returns the HTML that clients expect. Source: the public API's message formatting, "Website previews". */
export function renderWebsitePreview(
  md: MarkdownIt,
  href: string,
  { preview: { title, description }, picture }: ShownWebsite,
): string {
  const tag = (name: string, attributes: Attributes) =>
    `<${name}${md.renderer.renderAttrs({ attrs: attributes })}>`
  const box = (className: string, content: string) => `${tag('div', [['class', className]])}${content}</div>`
  const image = tag('a', [
    ['class', 'message_embed_image'],
    ['href', href],
    ['style', `background-image: url("${picture}")`],
  ])
  const shownTitle = inOneLine(title, maxTitleLength)
  const shownDescription = inOneLine(description, maxDescriptionLength)
  const link = tag('a', [
    ['href', href],
    ['title', shownTitle],
  ])
  const texts = [
    shownTitle === '' ? '' : box('message_embed_title', `${link}${escapeText(shownTitle)}</a>`),
    shownDescription === '' ? '' : box('message_embed_description', escapeText(shownDescription)),
  ]
  return box('message_embed', `${image}</a>${box('data-container', texts.join(''))}`)
}

/** Returns a web address escaped for a string in a style, which nothing in it can end. */
function styleUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return href.replace(/["'\\<>\s]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Returns a text from another site without control characters, cut to the length of a preview. */
function inOneLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .trim()
  const points = [...line]
  return points.length <= limit ? line : `${points.slice(0, limit - 1).join('')}…`
}
