import { t } from '../../texts/texts.ts'

/** Links around pictures that open in the viewer. */
export const PICTURE_LINKS = '.message_inline_image:not(.message_inline_video) a, a.inline-picture'

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
