import { t } from '../../texts/texts.ts'

/** Links around pictures that open in the viewer. */
export const PICTURE_LINKS = '.message_inline_image:not(.message_inline_video) a, a.inline-picture'

const SOUND = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav|weba)$/i

/** Lets videos be played where they are, and uploaded sounds under the line that links to them. */
export function enhanceMedia(content: DocumentFragment | HTMLElement): void {
  for (const video of content.querySelectorAll<HTMLVideoElement>('.message_inline_video video')) {
    const link = video.closest('a')
    video.controls = true
    video.setAttribute('aria-label', link?.title || t.message.video)
    link?.replaceWith(video)
  }
  for (const link of content.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]')) {
    if (SOUND.test(link.pathname)) addPlayer(link)
  }
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
