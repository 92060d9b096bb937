/** Pictures that consist of many small pieces, each of which costs as much as a large one. */
import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { startCountingSlices } from '../markdown/count-work.ts'
import { needs } from '../support/needs.ts'
import { pngForm } from './png-forms.ts'

const count = await startCountingSlices()
const { fitInside } = await import('../../src/images/resize-image.ts')

const BOUNDS = { maxWidth: 100, maxHeight: 100, format: 'webp' } as const
const GIF = 'GIF89a\x0a\0\x0a\0\0\0\0'
const JPEG = '\xff\xd8'
const CODES = `\xff\xc4\0\x13\0${'\0'.repeat(16)}`

function webp(flags: string, chunks: string): string {
  return `RIFF    WEBPVP8X\x0a\0\0\0${flags}\0\0\0\x09\0\0\x09\0\0${chunks}`
}

/** A PNG of 1,001 by 1,000 pixels, which is decoded in rows, with these chunks before its picture or none. */
function png(chunks: string): string {
  const form = { width: 1_001, height: 1_000, color: 0, depth: 8, rows: [] }
  const whole = Buffer.from(pngForm(form)).toString('latin1')
  return `${whole.slice(0, 33)}${chunks}${whole.slice(33)}`
}

const PICTURES: Record<string, (pieces: number) => string> = {
  'chunks before the first frame of a WebP': (pieces) => webp('\x02', 'XXXX\0\0\0\0'.repeat(pieces)),
  'chunks of a still WebP': (pieces) => webp('\0', 'XXXX\0\0\0\0'.repeat(pieces)),
  'chunks of a PNG': (pieces) => png('\0\0\0\0abcdCCCC'.repeat(pieces)),
  'parts of the picture of a PNG': (pieces) => png('\0\0\0\0IDATCCCC'.repeat(pieces)),
  'segments of a JPEG': (pieces) => `${JPEG}${'\xff\xfe\0\x02'.repeat(pieces)}\xff\xd9`,
  'bytes between segments of a JPEG': (pieces) => `${JPEG}${'\xff'.repeat(10 * pieces)}\xff\xd9`,
  'notes of a camera in a JPEG': (pieces) =>
    `${JPEG}${`\xff\xe1\0\x28Exif\0\0MM\0\x2a\0\0\0\x08\0\x02${'\0'.repeat(24)}`.repeat(pieces)}\xff\xd9`,
  'tables of a JPEG': (pieces) => `${JPEG}${CODES.repeat(pieces)}\xff\xd9`,
  'comments of a GIF': (pieces) => `${GIF}${'!\xfe\0'.repeat(40 * pieces)}`,
  'blocks of a comment of a GIF': (pieces) => `${GIF}!\xfe${'\x01a'.repeat(40 * pieces)}`,
}

describe.skipIf(count === undefined)('work on a picture', needs('the counters of Node’s inspector'), () => {
  it.each(Object.entries(PICTURES))('has an end, however many: %s', async (_, picture) => {
    const read = async (pieces: number) => {
      const bytes = new Uint8Array(Buffer.from(picture(pieces), 'latin1'))
      expect(await fitInside(bytes, BOUNDS)).toBeUndefined()
    }
    await read(100)
    const [many, more] = [await count!(() => read(30_000)), await count!(() => read(60_000))]
    expect(many).toBeGreaterThan(100)
    expect(more).toBeLessThanOrEqual(1.1 * many)
  })
})
