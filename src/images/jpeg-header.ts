import type { StoredSize } from './picture.ts'
import { hasLetters, uint16, uint32 } from './read-bytes.ts'

/** A segment of a JPEG: its marker's second byte, and the position of its data. */
export interface JpegSegment {
  readonly marker: number
  readonly start: number
  readonly end: number
}

export interface JpegHeader extends StoredSize {
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number
}

export const SCAN = 0xda
export const END = 0xd9
const APP1 = 0xe1
const EXIF = 'Exif\0\0'
const UPRIGHT = 1
/** Limit of the segments read: a file has some dozens of tables and scans, and one for each 64 KiB of a camera's notes. */
const MAX_SEGMENTS = 5_000
/** Limit of the bytes skipped between segments: some programs pad. */
const MAX_PADDING = 65_536

/** Reads the header of a JPEG; undefined for other files, or one that ends before its frame. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  let orientation: number | undefined
  for (const { marker, start, end } of jpegSegments(bytes)) {
    if (marker === APP1 && hasLetters(bytes, start, EXIF)) {
      orientation ??= readOrientation(bytes.subarray(start + 6, end)) ?? UPRIGHT
    }
    if (isFrame(marker)) {
      const size = { width: uint16(bytes, start + 3), height: uint16(bytes, start + 1) }
      return { ...size, orientation: orientation ?? UPRIGHT }
    }
  }
  return undefined
}

/** Returns a copy that decoders show as stored, whatever orientation the camera recorded. */
export function withoutExif(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes)
  for (const { marker, start } of jpegSegments(bytes)) {
    if (marker === APP1 && hasLetters(bytes, start, EXIF)) copy.fill(0, start, start + EXIF.length)
    if (marker === SCAN) break
  }
  return copy
}

/** Whether a marker starts a frame header: C0 to CF, except the tables among them. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/**
 * Yields the first MAX_SEGMENTS complete segments in order. For a scan, that is only its head, which its bits follow. The last is the end
 * of the picture, if present.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let at = 2
  let count = 0
  let padding = 0
  while (at + 2 <= bytes.length && count < MAX_SEGMENTS) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff || marker === 0xff) {
      // Padding, or garbage: the next marker counts.
      at += 1
      padding += 1
      if (padding > MAX_PADDING) return
      continue
    }
    const hasNoData = marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    if (hasNoData) {
      at += 2
      padding += 2
      continue
    }
    if (marker === END) {
      yield { marker, start: at + 2, end: at + 2 }
      return
    }
    const end = at + 2 + uint16(bytes, at + 2)
    if (end > bytes.length || end < at + 4) return
    count += 1
    yield { marker, start: at + 4, end }
    at = marker === SCAN ? endOfBits(bytes, end) : end
  }
}

/** Returns the position of the first non-restart marker after `from`. */
function endOfBits(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    const isOfBits = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isOfBits) return at
  }
  return bytes.length
}

const ORIENTATION = 0x0112
const SHORT = 3
const ENTRY_BYTES = 12

/** Reads the EXIF orientation, 1 to 8, from the data after `Exif`; undefined without it. */
function readOrientation(tiff: Uint8Array): number | undefined {
  const isLittleEndian = hasLetters(tiff, 0, 'II')
  if (!isLittleEndian && !hasLetters(tiff, 0, 'MM')) return undefined
  const directory = uint32(tiff, 4, isLittleEndian)
  const count = uint16(tiff, directory, isLittleEndian)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * ENTRY_BYTES
    if (entry + ENTRY_BYTES > tiff.length) return undefined
    if (uint16(tiff, entry, isLittleEndian) !== ORIENTATION) continue
    if (uint16(tiff, entry + 2, isLittleEndian) !== SHORT) return undefined
    const orientation = uint16(tiff, entry + 8, isLittleEndian)
    return orientation >= 1 && orientation <= 8 ? orientation : undefined
  }
  return undefined
}
