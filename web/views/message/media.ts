import { t } from '../../texts/texts.ts'

/** Links around pictures that open in the viewer. */
export const PICTURE_LINKS = '.message_inline_image:not(.message_inline_video) a, a.inline-picture'

const PICTURES = '.message_inline_image a, img.inline-image'

/** Whether a link leads to an uploaded PDF, which has a viewer. */
export function isPdf({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === location.origin && /^\/user_uploads\/.*\.pdf$/i.test(pathname)
}

/** Sounds of a message that have a player: each is asked for its length as soon as the message is shown. */
export const PLAYERS = 10

export const SOUND = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav|weba)$/i

/** Makes videos playable in place, and uploaded audio below the line that links to it. */
export function enhanceMedia(content: DocumentFragment | HTMLElement): void {
  for (const video of content.querySelectorAll<HTMLVideoElement>('.message_inline_video video')) {
    const link = video.closest('a')
    video.controls = true
    video.setAttribute('aria-label', link?.title || t.message.video)
    link?.replaceWith(video)
  }
  const links = [...content.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]')]
  for (const link of links) if (!link.querySelector('img')) dress(link, content)
  for (const link of links.filter(({ pathname }) => SOUND.test(pathname)).slice(0, PLAYERS)) addPlayer(link)
}

function addPlayer(link: HTMLAnchorElement): void {
  const player = document.createElement('audio')
  player.controls = true
  player.preload = 'metadata'
  player.src = link.pathname
  player.className = 'message-sound'
  player.title = link.textContent ?? ''
  const line = link.closest('p')
  if (line) line.after(player)
  else link.after(player)
}

const FILE_NAME = /\.(\w{1,5})$/

/** Makes a card of a file that stands in a line of its own, and takes away the link to a picture that is shown. */
function dress(link: HTMLAnchorElement, content: DocumentFragment | HTMLElement): void {
  const path = link.getAttribute('href')!
  const name = link.textContent ?? ''
  const [, kind] = FILE_NAME.exec(link.pathname) ?? []
  const [before, after] = [nextTo(link, 'previousSibling'), nextTo(link, 'nextSibling')]
  if (!kind || link.parentElement?.localName !== 'p' || !isBreak(before) || !isBreak(after)) return
  const shown = [...content.querySelectorAll(PICTURES)].some(
    (one) => (one.getAttribute('href') ?? one.getAttribute('data-original-src')) === path,
  )
  if (shown) {
    if (!FILE_NAME.test(name)) return
    const paragraph = link.parentElement
    ;(before ?? after)?.remove()
    link.remove()
    if (paragraph.textContent?.trim() === '' && !paragraph.querySelector('*')) paragraph.remove()
  } else if (!SOUND.test(path)) {
    const card = document.createElement('span')
    card.className = 'file-card'
    const words = document.createElement('span')
    words.className = 'one-line'
    words.dir = 'auto'
    words.append(...link.childNodes)
    link.replaceWith(card)
    link.dataset.kind = kind.toUpperCase()
    link.append(words)
    const download = document.createElement('a')
    download.className = 'file-download'
    download.href = `${path}?download=1`
    download.download = name
    download.tabIndex = -1
    download.textContent = t.message.download
    download.ariaLabel = `${t.message.download}: ${name}`
    card.append(link, download)
  }
}

/** Returns what stands beside a link in its line, undefined for nothing. */
function nextTo(link: Node, side: 'previousSibling' | 'nextSibling'): ChildNode | undefined {
  let node = link[side]
  while (node instanceof Text && node.data.trim() === '') node = node[side]
  return node ?? undefined
}

function isBreak(node: ChildNode | undefined): boolean {
  return node === undefined || (node instanceof Element && node.localName === 'br')
}
