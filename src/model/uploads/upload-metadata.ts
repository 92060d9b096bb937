import { Buffer } from 'node:buffer'
import { BadRequestError } from '../../core/errors.ts'

/**
 * Length of the metadata, in characters. A file's name with everything else that clients give takes a tenth.
 */
const MAX_METADATA_LENGTH = 8_192

/** A key, and behind a space its value in Base64; the value may be absent. */
const PAIR = /^([\x21-\x2b\x2d-\x7e]+)(?: +([A-Za-z0-9+/]*={0,2}))?$/

/**
 * Reads a sender's metadata of a file: the header `Upload-Metadata` of the tus protocol, pairs separated by
 * commas.
 * @throws BadRequestError
 */
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
