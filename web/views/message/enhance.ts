import { state } from '../../chat.ts'
import { emojiFromCode } from '../../state/emoji-character.ts'
import { t } from '../../texts/texts.ts'
import { dateAndTime, wholeTime } from '../../ui/time.tsx'
import { enhanceMedia, PLAYERS } from './media.ts'

/** Adds functions to a rendered message; none of them changes its height. `scale`: of the size of pictures. */
export function enhance(content: DocumentFragment | HTMLElement, scale: number): void {
  for (const emoji of content.querySelectorAll('span.emoji')) showEmoji(emoji)
  for (const time of content.querySelectorAll('time')) showTime(time)
  for (const image of content.querySelectorAll('img:not(.emoji)'))
    reserveSpace(image as HTMLImageElement, scale)
  for (const image of content.querySelectorAll('img.inline-image')) linkToOriginal(image as HTMLImageElement)
  enhanceMedia(content)
  for (const [at, audio] of content.querySelectorAll<HTMLAudioElement>('audio[src]').entries()) {
    if (at < PLAYERS) showPlayer(audio)
    else audio.setAttribute('preload', 'none')
  }
  for (const block of content.querySelectorAll('.codehilite')) offerCopy(block)
  for (const spoiler of content.querySelectorAll('.spoiler-block')) foldSpoiler(spoiler)
  for (const table of content.querySelectorAll('table')) scrollSideways(table)
  for (const mention of content.querySelectorAll('.user-mention[data-user-id], .user-group-mention')) {
    if (mention.getAttribute('data-user-id') === '*') continue
    mention.setAttribute('role', 'button')
    mention.setAttribute('tabindex', '-1')
  }
}

/** Letters of scripts that are written from right to left, as the first ones of a text. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Gives each block the direction of its own first letters: `dir="auto"` would leave out those of blocks in it that have a direction. */
export function direct(content: DocumentFragment): void {
  const blocks = 'p, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, table, .message_embed'
  for (const block of content.querySelectorAll<HTMLElement>(blocks)) {
    const text = block.textContent ?? ''
    if (/\p{L}/u.test(text)) block.dir = RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr'
  }
}

/** Shows the emoji of a span whose class names it. */
export function showEmoji(span: Element): void {
  const code = /\bemoji-([0-9a-f-]+)\b/.exec(span.className)?.[1]
  if (code) span.textContent = emojiFromCode(code)
}

function showTime(element: HTMLTimeElement): void {
  const seconds = Date.parse(element.dateTime) / 1_000
  if (Number.isNaN(seconds)) return
  element.dataset.tip = wholeTime(seconds)
  element.textContent = dateAndTime(seconds)
}

/** The largest size of a picture in the list, in pixels, at the default scale. */
const PICTURE_WIDTH = 360
const PICTURE_HEIGHT = 240
/** The least width of a picture that has it, of which only a part is shown then. */
const LEAST_WIDTH = 120

/**
 * Reserves the space of a picture by the size that the server has measured; without it, the picture is fitted
 * into the default space.
 */
function reserveSpace(image: HTMLImageElement, previewScale: number): void {
  image.loading = 'lazy'
  image.decoding = 'async'
  const [width = 0, height = 0] = (image.dataset.originalDimensions ?? '').split('x').map(Number)
  const [mostWidth, mostHeight] = [PICTURE_WIDTH * previewScale, PICTURE_HEIGHT * previewScale]
  const scale = width > 0 && height > 0 ? Math.min(1, mostWidth / width, mostHeight / height) : undefined
  image.width = scale === undefined ? mostWidth / 2 : Math.max(24, Math.round(width * scale))
  image.height = scale === undefined ? mostHeight / 2 : Math.max(24, Math.round(height * scale))
  const least = Math.min(LEAST_WIDTH, width)
  if (image.width < least) {
    // The upper part of a long picture.
    image.width = least
    image.style.aspectRatio = `${least} / ${image.height}`
  }
  if (!image.alt) image.alt = image.closest('a')?.title || t.message.picture
}

/** Puts a picture into a link to its whole form, which opens in the viewer. */
function linkToOriginal(image: HTMLImageElement): void {
  const original = image.dataset.originalSrc ?? ''
  if (!original.startsWith('/user_uploads/')) return
  const link = document.createElement('a')
  link.className = 'inline-picture'
  link.href = original
  link.title = image.alt
  image.replaceWith(link)
  link.append(image)
}

/** Puts the page's own player in the place of a browser's, of the same height. */
function showPlayer(audio: HTMLAudioElement): void {
  const frame = document.createElement('div')
  frame.className = 'audio-frame'
  const src = audio.getAttribute('src')!
  // The name in an address may be no text at all.
  const name = audio.title || t.message.sound
  audio.replaceWith(frame)
  frame.append(audio)
  import('./audio-frame.tsx').then(
    ({ drawPlayer }) => drawPlayer(frame, { src, name }),
    // The browser's own stays.
    () => {},
  )
}

/** Whether a message is one paragraph of emoji alone, which are shown enlarged. */
export function isEmojiAlone(content: DocumentFragment): boolean {
  const [paragraph] = content.children
  if (content.childElementCount !== 1 || paragraph?.localName !== 'p' || paragraph.childElementCount === 0) {
    return false
  }
  return [...paragraph.childNodes].every((node) =>
    node instanceof Element
      ? node.classList.contains('emoji') || node.localName === 'br'
      : node.textContent?.trim() === '',
  )
}

/** Milliseconds for which a button says that it has copied. */
const COPIED_MS = 2_000

function offerCopy(block: Element): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'code-copy'
  button.textContent = t.message.copyCode
  button.tabIndex = -1
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '')
    button.textContent = t.message.copied
    setTimeout(() => {
      button.textContent = t.message.copyCode
    }, COPIED_MS)
  })
  const tools = document.createElement('div')
  tools.className = 'code-tools'
  tools.append(...playgroundButtons(block), button)
  block.append(tools)
  const pre = block.querySelector('pre')
  if (pre) scrollSideways(pre)
}

/** Returns buttons to the organization's playgrounds for code of this language. */
function playgroundButtons(block: Element): HTMLElement[] {
  const language = block.getAttribute('data-code-language')
  const fitting = state.playgrounds.filter(({ pygments_language }) => pygments_language === language)
  return fitting.map(({ name, url_template }) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.tabIndex = -1
    button.textContent = t.message.openIn(name)
    button.addEventListener('click', async () => {
      const { parseTemplate } = await import('url-template')
      const url = parseTemplate(url_template).expand({ code: block.querySelector('pre')?.textContent ?? '' })
      if (/^https?:/.test(url)) window.open(url, '_blank', 'noopener')
    })
    return button
  })
}

function foldSpoiler(block: Element): void {
  const header = block.querySelector('.spoiler-header')
  const content = block.querySelector<HTMLElement>('.spoiler-content')
  if (!header || !content) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'spoiler-toggle'
  // A link in a button could not be followed everywhere.
  const hasLinks = header.querySelector('a, .user-mention') !== null
  if (hasLinks) button.setAttribute('aria-label', header.textContent?.trim() || t.message.spoiler)
  else button.append(...header.childNodes)
  if (!hasLinks && button.textContent?.trim() === '') button.textContent = t.message.spoiler
  content.removeAttribute('aria-hidden')
  const toggle = (isOpen: boolean) => {
    content.hidden = !isOpen
    button.setAttribute('aria-expanded', String(isOpen))
  }
  button.addEventListener('click', () => toggle(content.hidden !== false))
  header.prepend(button)
  toggle(false)
}

/** Makes an element scroll sideways, by keyboard too. */
function scrollSideways(element: Element): void {
  const frame = element.localName === 'table' ? document.createElement('div') : element
  if (frame !== element) {
    frame.className = 'table-frame'
    element.replaceWith(frame)
    frame.append(element)
  }
  frame.setAttribute('tabindex', '0')
  // It is no landmark: there may be many of them, all with the same name.
  frame.setAttribute('role', 'group')
  frame.setAttribute('aria-label', element.localName === 'table' ? t.message.table : t.message.code)
}
