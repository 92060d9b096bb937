import { Buffer } from 'node:buffer'

/** The facts in a picture's header. */
export interface ImageFacts {
  readonly type: 'png' | 'webp'
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
}

/** Reads the header of a picture that the server has made, or kept as it came. */
export function readImageFacts(bytes: Uint8Array): ImageFacts {
  const file = Buffer.from(bytes)
  if (file.toString('latin1', 1, 4) === 'PNG') return pngFacts(file)
  if (file.toString('latin1', 8, 12) === 'WEBP') return webpFacts(file)
  throw new Error(`Neither PNG nor WebP: ${file.toString('hex', 0, 12)}`)
}

function pngFacts(file: Buffer): ImageFacts {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  // An animated PNG has the chunk acTL before its first frame.
  const head = file.subarray(0, file.indexOf('IDAT'))
  return { type: 'png', width, height, isAnimated: head.includes('acTL') }
}

function webpFacts(file: Buffer): ImageFacts {
  const kind = file.toString('latin1', 12, 16)
  if (kind === 'VP8X') {
    const [width, height] = [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1]
    return { type: 'webp', width, height, isAnimated: (file[20]! & 2) !== 0 }
  }
  if (kind === 'VP8L') {
    const bits = file.readUInt32LE(21)
    return {
      type: 'webp',
      width: (bits & 0x3fff) + 1,
      height: ((bits >> 14) & 0x3fff) + 1,
      isAnimated: false,
    }
  }
  const [width, height] = [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff]
  return { type: 'webp', width, height, isAnimated: false }
}
