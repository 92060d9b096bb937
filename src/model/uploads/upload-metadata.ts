import { Buffer } from 'node:buffer'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import { firstPoints, withoutEnd } from '../../core/text-length.ts'

/** Limit of the length of the metadata, in characters. Clients need a tenth of it. */
const MAX_METADATA_LENGTH = 8_192

/** A key, and after a space its value in Base64; the value may be absent. */
const PAIR = /^([\x21-\x2b\x2d-\x7e]+)(?: +([A-Za-z0-9+/]*={0,2}))?$/

/** Reads the header `Upload-Metadata` of the tus protocol: pairs separated by commas. @throws BadRequestError */
export function readUploadMetadata(metadata: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  if (metadata.length > MAX_METADATA_LENGTH) throw unreadable()
  for (const pair of metadata.split(',').map((text) => text.trim())) {
    if (pair === '' && metadata.trim() === '') continue
    const [, key, value = ''] = PAIR.exec(pair) ?? []
    if (key === undefined || said.has(key)) throw unreadable()
    said.set(key, Buffer.from(value, 'base64').toString('utf8'))
  }
  return said
}

function unreadable(): BadRequestError {
  return new BadRequestError('Upload-Metadata has invalid format')
}

/** Length of a file's name in an address, in characters, the ending included. */
const MAX_NAME_LENGTH = 120
const MAX_ENDING_LENGTH = 20
/** Number of characters of a name, from its end, that count: no file system has longer names. */
const MAX_READ_LENGTH = 1_000
/** Length of a displayed name, in characters. */
const MAX_SHOWN_LENGTH = 255

/** Returns a file's name for its address: only letters, digits, dots, dashes and underscores, so links need no quoting. */
export function addressName(name: string): string {
  const plain = lastPart(name)
    .normalize('NFKC')
    .replace(/[\s-]+/gu, '-')
    .replace(/[^\p{L}\p{N}\p{M}._-]/gu, '')
    .replace(/^-+/, '')
  const short = shortened([...withoutEnd(plain, '-')])
  return /^\.*$/.test(short) ? 'uploaded-file' : short
}

/** Returns the displayed name, without control characters, and the folders that some systems send. */
export function shownName(name: string): string {
  const shown = lastPart(name)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
  return firstPoints(shown, MAX_SHOWN_LENGTH) || 'uploaded-file'
}

function lastPart(name: string): string {
  const tail = name.slice(-MAX_READ_LENGTH)
  return tail.slice(Math.max(tail.lastIndexOf('/'), tail.lastIndexOf('\\')) + 1).toWellFormed()
}

/** Shortens a name, but not its ending, by which programs know the type. */
function shortened(characters: string[]): string {
  if (characters.length <= MAX_NAME_LENGTH) return characters.join('')
  const dot = characters.lastIndexOf('.')
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING_LENGTH ? characters.slice(dot) : []
  return [...characters.slice(0, MAX_NAME_LENGTH - ending.length), ...ending].join('')
}

/** Types by ending, for senders that name none. */
const BY_ENDING: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  csv: 'text/csv',
  flac: 'audio/flac',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  m4a: 'audio/mp4',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  zip: 'application/zip',
}

const UNKNOWN = 'application/octet-stream'
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,80}$/

/** Returns the media type of an upload, without parameters: the sender's, else the one of the name's ending. */
export function contentTypeOf(said: string, name: string): string {
  const type = said.split(';')[0]!.trim().toLowerCase()
  if (TYPE.test(type) && type !== UNKNOWN) return type
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending]! : UNKNOWN
}

/** Returns the refusal (409) after which clients ask for the upload's progress and continue there. */
export function offsetConflict(received?: number): ApiError {
  const extra = received === undefined ? {} : { upload_offset: received }
  return new ApiError('BAD_REQUEST', 'The upload does not continue at this offset', extra, 409)
}

/** Returns the refusal (413) of bytes beyond the announced length. */
export function tooManyBytes(): ApiError {
  return new ApiError('BAD_REQUEST', 'The upload is longer than announced', {}, 413)
}
