import { describe, expect, it } from 'vitest'
import { BrokenImageError } from '../../src/images/picture.ts'
import { decodeWebp } from '../../src/images/webp-codec.ts'
import { FACTS, type Size, webpOf } from './webp-forms.ts'

/** A WebP of these sizes, without a picture: a chunk of this type alone, and a header that has the size. */
function empty(type: 'VP8 ' | 'VP8L' | 'ALPH', { width, height }: Size): Uint8Array {
  const bytes = Buffer.from(`RIFF    WEBPVP8X    ${'\0'.repeat(10)}${type}\0\0\0\0`)
  bytes.writeUInt32LE(10, 16)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return new Uint8Array(bytes)
}

/** An animation of ten by ten pixels, as its header says, whose first frame is a lossless picture of this size. */
function animated({ width, height }: Size): Uint8Array {
  const frame = Buffer.alloc(16 + 8 + 20)
  frame.write('VP8L', 16)
  frame.writeUInt32LE(20, 20)
  frame[24] = 0x2f
  frame.writeUInt32LE((width - 1) | ((height - 1) << 14), 25)
  const head = Buffer.from(empty('ALPH', { width: 10, height: 10 })).subarray(0, 30)
  head[20] = 0x02
  const of = Buffer.from('ANMF    ')
  of.writeUInt32LE(frame.length, 4)
  return new Uint8Array(Buffer.concat([head, of, frame]))
}

describe('a WebP that would take too much memory', () => {
  it.each([
    ['VP8 ', 3_900, false],
    ['VP8 ', 4_001, true],
    ['VP8L', 2_500, false],
    ['VP8L', 2_600, true],
    ['ALPH', 2_600, true],
  ] as const)('is refused before it is decoded: %s, %i thousand pixels', async (type, width, isRefused) => {
    const size = { width, height: 1_000 }
    const decoded = decodeWebp(empty(type, size), { ...size, isAnimated: false })
    await expect(decoded).rejects.toThrow(isRefused ? 'too large' : 'No such form')
  })

  it.each([
    [2_500, 'No such form'],
    [2_600, 'too large'],
    [16_000, 'too large'],
  ] as const)(
    'is refused by the size of the first frame of an animation: %i thousand pixels',
    async (width, refusal) => {
      const bytes = animated({ width, height: 1_000 })
      await expect(decodeWebp(bytes, { width: 10, height: 10, isAnimated: true })).rejects.toThrow(refusal)
    },
  )
})

describe.each([
  ['lossy', { lossless: 0, quality: 50 }],
  ['lossless', { lossless: 1, quality: 50 }],
] as const)('a %s WebP', (_, options) => {
  it('that ends too early is refused, wherever it does', async () => {
    const bytes = await webpOf(FACTS, options)
    for (const part of [0.1, 0.5, 0.9]) {
      const cut = bytes.subarray(0, bytes.length * part)
      await expect(decodeWebp(cut, FACTS)).rejects.toThrow(BrokenImageError)
    }
  })
})
