import { type FileAddress, fileAt } from './pages-of-files.ts'

/** The medium to which a link leads, as far as its address shows. */
export type Medium =
  | ({ kind: 'image' | 'video' | 'audio' } & FileAddress)
  | { kind: 'youtube'; videoId: string }

const imageEnding = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const videoEnding = /\.(?:mp4|webm|mov)$/i
const audioEnding = /\.(?:aac|flac|mp3|mpeg|wav)$/i

/** Returns the medium behind an absolute web address or a path of the realm; undefined for anything else. */
export function mediumOf(href: string): Medium | undefined {
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
