import { hasLetters } from './read-bytes.ts'

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
