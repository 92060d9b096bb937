import { Buffer } from 'node:buffer'
import {
  JpegImage,
  setVerbosityLevel,
  VerbosityLevel,
} from 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs'
import { isFrame, jpegSegments, SCAN } from './jpeg-header.ts'
import { BrokenImageError, type Decode, orBroken, requireMemory } from './picture.ts'
import { uint16 } from './read-bytes.ts'

setVerbosityLevel(VerbosityLevel.ERRORS)

/**
 * Segments that are needed besides frame and scans: tables of codes and of quantization, restarts, and
 * Adobe's note on colours.
 */
const NEEDED_SEGMENTS = [0xc4, 0xdb, 0xdd, 0xee]
const HEIGHT_FOLLOWS = 0xdc

/** Number of scans of a picture; those of cameras have a dozen. More would only cost time. */
const MAX_SCANS = 50
const LAST_VALUE = 63

/** Pixels up to which each is decoded. Of larger pictures every second is, or every third, and so on. */
const MAX_PIXELS = 3_000_000
/** Bytes for the values of the components, and then red, green, blue and alpha. */
const PIXEL_BYTES = 3 + 4
const VALUE_BYTES = 2

/** Decodes baseline and progressive JPEG. All its values are in memory before the first pixel is. */
export const decodeJpeg: Decode = (bytes) => {
  const jpeg = withoutExtras(bytes)
  requireHarmless(jpeg)
  return orBroken(() => {
    const image = new JpegImage()
    image.parse(jpeg)
    const step = Math.max(1, Math.ceil(Math.sqrt((image.width * image.height) / MAX_PIXELS)))
    const width = Math.max(1, Math.floor(image.width / step))
    const height = Math.max(1, Math.floor(image.height / step))
    const seen = image.getData({ width, height, forceRGBA: true })
    for (const { output } of image.components) output.buffer.transfer(0)
    const data = seen.length === width * height * 3 ? withAlpha(seen) : seen
    if (data.length !== width * height * 4) throw new Error('No such colours')
    return { width, height, data, release: () => data.buffer.transfer(0) }
  })
}

/**
 * Returns the segments that are needed to draw the picture, up to its end, without previews and films that
 * follow. Then nothing is left that only looks like a marker.
 */
function withoutExtras(bytes: Uint8Array): Buffer {
  const parts = [bytes.subarray(0, 2)]
  for (const { marker, start, end } of jpegSegments(bytes, 2)) {
    const segment = bytes.subarray(start - 4, end)
    if (marker === SCAN) return Buffer.concat([...parts, segment, upToEnd(bytes.subarray(end))])
    if (NEEDED_SEGMENTS.includes(marker) || isFrame(marker)) parts.push(segment)
  }
  throw new BrokenImageError('No picture')
}

function upToEnd(bytes: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('ffd9', 'hex')
  if (at < 0) throw new BrokenImageError('The picture ends too early')
  return bytes.subarray(0, at + 2)
}

/**
 * Refuses a picture with a harmful segment. The library trusts any marker, and may find one inside a table
 * that is longer than declared, so everything that could be a marker is checked.
 */
function requireHarmless(jpeg: Uint8Array): void {
  let scans = 0
  for (let at = 0; at < jpeg.length; at += 1) {
    if (jpeg[at] !== 0xff) continue
    const marker = jpeg[at + 1]!
    if (isFrame(marker)) requireMemory(jpeg.length + MAX_PIXELS * PIXEL_BYTES + valueBytes(jpeg, at))
    else if (marker === SCAN) {
      const count = jpeg[at + 4]!
      scans += 1
      if (scans > MAX_SCANS || !isComponentCount(count) || jpeg[at + 6 + 2 * count]! > LAST_VALUE) {
        throw new BrokenImageError('No such scan')
      }
    } else if (marker === HEIGHT_FOLLOWS) throw new BrokenImageError('The height is not known')
  }
}

/**
 * Whether a number of components is possible: with none the library counts to infinity, with many it draws
 * for hours.
 */
function isComponentCount(count: number): boolean {
  return count >= 1 && count <= 4
}

/** Returns the bytes that the library takes for the values of the frame whose marker is at `at`. */
function valueBytes(jpeg: Uint8Array, at: number): number {
  const [height, width, count] = [uint16(jpeg, at + 5), uint16(jpeg, at + 7), jpeg[at + 9]!]
  if (!isComponentCount(count)) throw new BrokenImageError('No such colours')
  const samplings = Array.from({ length: count }, (_, index) => jpeg[at + 11 + 3 * index] ?? 0)
  const across = samplings.map((sampling) => sampling >> 4)
  const down = samplings.map((sampling) => sampling & 15)
  const columns = Math.ceil(width / 8 / Math.max(...across))
  const rows = Math.ceil(height / 8 / Math.max(...down))
  return samplings.reduce(
    (sum, _, index) => sum + rows * down[index]! * (columns * across[index]! + 1) * 64 * VALUE_BYTES,
    0,
  )
}

/** Adds an alpha channel to a picture that is stored as red, green and blue. */
function withAlpha(rgb: Uint8ClampedArray): Uint8ClampedArray<ArrayBuffer> {
  const data = new Uint8ClampedArray((rgb.length / 3) * 4).fill(255)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from]!
    data[to + 1] = rgb[from + 1]!
    data[to + 2] = rgb[from + 2]!
  }
  return data
}
