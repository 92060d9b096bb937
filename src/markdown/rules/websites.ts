import type { MarkdownIt } from 'markdown-it'
import { escapeText } from '../escape.ts'
import { loadedFrom } from '../external-pictures.ts'
import type { RenderContext } from '../render-context.ts'
import type { WebsitePreview } from '../render-types.ts'
import type { Attributes } from './spans.ts'

/** The websites of a message that get a preview: the first it links to. */
const mostWebsites = 5

/** The length of a title, in code points. */
const longestTitle = 256
const longestDescription = 512

/** A website that is shown below a link to it. */
export interface ShownWebsite {
  kind: 'website'
  preview: WebsitePreview
  /** The address that readers load its picture from, as it may stand in a string of a style. */
  picture: string
}

/** Previews by address, for those of the addresses that lead to websites and have one. */
export function findWebsitePreviews(
  { lookups, unseenWebsites }: RenderContext,
  hrefs: readonly string[],
): Map<string, ShownWebsite> {
  const previews = new Map<string, ShownWebsite>()
  if (!lookups.websitePreview) return previews
  for (const href of hrefs.filter((href) => isWebsite(href, lookups.realmUrl)).slice(0, mostWebsites)) {
    const preview = lookups.websitePreview(href)
    if (preview === undefined) unseenWebsites.add(href)
    const address = preview ? styleUrl(preview.imageUrl) : undefined
    const picture = address === undefined ? undefined : loadedFrom(address, lookups)
    if (preview && picture !== undefined) previews.set(href, { kind: 'website', preview, picture })
  }
  return previews
}

/** The organization's own pages say nothing to who is not logged in. */
function isWebsite(href: string, realmUrl: string): boolean {
  const host = /^https?:\/\//i.test(href) ? hostOf(href) : undefined
  return host !== undefined && host !== hostOf(realmUrl)
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}

/** The form that clients read. Source: the public API's message formatting, "Website previews". */
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
  const shownTitle = inOneLine(title, longestTitle)
  const shownDescription = inOneLine(description, longestDescription)
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

/** A web address as it may stand in a string of a style: nothing in it ends the string. */
function styleUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return href.replace(/["'\\<>\s]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A text of somebody else's page: without control characters, and not longer than a preview can be. */
function inOneLine(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .trim()
  const points = [...line]
  return points.length <= limit ? line : `${points.slice(0, limit - 1).join('')}…`
}
