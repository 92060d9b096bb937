/** What a link leads to, as far as its address tells. */
export type Medium = { kind: 'image' | 'video' | 'audio' } | { kind: 'youtube'; videoId: string }

const imageEnding = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoEnding = /\.(?:mp4|webm|mov)$/i
const audioEnding = /\.(?:aac|flac|mp3|mpeg|wav)$/i

/** The medium behind an absolute web address or a path of the realm; undefined for everything else. */
export function mediumOf(href: string): Medium | undefined {
  if (!/^(?:https?:\/\/|\/)/i.test(href)) return undefined
  const path = href.split(/[?#]/, 1)[0]!
  if (imageEnding.test(path)) return { kind: 'image' }
  if (videoEnding.test(path)) return { kind: 'video' }
  if (audioEnding.test(path)) return { kind: 'audio' }
  const videoId = youtubeVideoId(href)
  return videoId === undefined ? undefined : { kind: 'youtube', videoId }
}

/** The id of a YouTube video from any of the forms its address is shared in. */
function youtubeVideoId(href: string): string | undefined {
  const match =
    /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/|v\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i.exec(
      href.slice(0, 300),
    )
  return match?.[1]
}
