import type { Message } from '../../state/wire.ts'
import { safeNodes } from '../message/safe-html.ts'

export type SharedKind = 'attachment' | 'image' | 'link'

/** Something that was shared in a message. */
export interface SharedFile {
  readonly message: Message
  /** Its address; a file of this server as a path. */
  readonly href: string
  readonly name: string
  /** A small picture of it, from this server. */
  readonly picture?: string
  readonly dimensions?: string
}

const UPLOAD = /^\/user_uploads\/(?!thumbnail\/)/
const PICTURES = '.message_inline_image:not(.message_inline_video) img, img.inline-image'

/** Returns what a message shares of this kind, each thing once. */
export function sharedIn(message: Message, kind: SharedKind): SharedFile[] {
  const nodes = safeNodes(message.content)
  const found = new Map<string, SharedFile>()
  for (const image of nodes.querySelectorAll<HTMLImageElement>(PICTURES)) {
    if (kind === 'link') break
    const href = image.dataset.originalSrc ?? image.closest('a')?.getAttribute('href') ?? ''
    if (href === '' || (kind === 'attachment' && !UPLOAD.test(href))) continue
    const name = image.closest('a')?.title || image.alt || nameIn(href)
    const dimensions = image.dataset.originalDimensions
    found.set(href, {
      message,
      href,
      name,
      picture: image.getAttribute('src') ?? href,
      ...(dimensions ? { dimensions } : {}),
    })
  }
  for (const link of nodes.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const href = link.getAttribute('href')!
    const isUpload = UPLOAD.test(href)
    const isWanted = kind === 'attachment' ? isUpload : kind === 'link' && !isUpload && /^https?:/.test(href)
    if (!isWanted || link.querySelector('img')) continue
    const words = link.textContent?.trim() || nameIn(href)
    const known = found.get(href)
    found.set(href, known ? { ...known, name: words } : { message, href, name: words })
  }
  return [...found.values()]
}

function nameIn(href: string): string {
  const last = href.split(/[?#]/)[0]!.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || href
  } catch {
    return last
  }
}
