import { hasLetters } from './read-bytes.ts'

/** Types that every browser shows as a picture, and cannot run. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/bmp'

/** Returns the type of a file by its first 32 bytes; undefined for any other. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  if (hasLetters(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (hasLetters(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg'
  if (hasLetters(bytes, 0, 'GIF87a') || hasLetters(bytes, 0, 'GIF89a')) return 'image/gif'
  if (hasLetters(bytes, 0, 'RIFF') && hasLetters(bytes, 8, 'WEBP')) return 'image/webp'
  if (hasLetters(bytes, 4, 'ftypavi') && (hasLetters(bytes, 11, 'f') || hasLetters(bytes, 11, 's')))
    return 'image/avif'
  // Two letters would match any text that begins so; four reserved bytes of a BMP's header are zero.
  if (hasLetters(bytes, 0, 'BM') && hasLetters(bytes, 6, '\0\0\0\0')) return 'image/bmp'
  return undefined
}

export type VideoType = 'video/mp4' | 'video/quicktime' | 'video/webm'

/** Brands of the ISO base media format for films; pictures have others. */
const FILMS = [
  'isom',
  'iso2',
  'iso4',
  'iso5',
  'iso6',
  'mp41',
  'mp42',
  'avc1',
  'M4V ',
  'MSNV',
  'dash',
  '3gp4',
  '3gp5',
]

/** Returns the type of a video by its first 12 bytes; undefined for any that browsers do not play. */
export function videoTypeOf(bytes: Uint8Array): VideoType | undefined {
  if (hasLetters(bytes, 4, 'ftypqt  ')) return 'video/quicktime'
  if (FILMS.some((brand) => hasLetters(bytes, 4, `ftyp${brand}`))) return 'video/mp4'
  return hasLetters(bytes, 0, '\x1a\x45\xdf\xa3') ? 'video/webm' : undefined
}
