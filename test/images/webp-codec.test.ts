import makeDecoder, { type WebPModule } from '@jsquash/webp/codec/dec/webp_dec.js'
import code from '@jsquash/webp/codec/dec/webp_dec.wasm'
import { describe, expect, it } from 'vitest'
import { decodeByEmscripten, decodeWebp } from '../../src/images/jpeg-webp-codecs.ts'
import { BrokenImageError, NotHereError } from '../../src/images/picture.ts'
import { FACTS, type Size, webpOf } from './webp-forms.ts'

/** A WebP of these sizes, without a picture: a chunk of this type alone, and a header that has the size. */
function empty(type: 'VP8L' | 'ALPH', { width, height }: Size): Uint8Array {
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

describe('a WebP of more than 2.1 megapixels', () => {
  it.each([
    [2_100, 'no such form'],
    [2_101, 'too large'],
    [16_000, 'too large'],
  ] as const)('is refused before it is decoded: %i thousand pixels', async (width, refusal) => {
    const size = { width, height: 1_000 }
    await expect(decodeWebp(empty('VP8L', size), { ...size, isAnimated: false })).rejects.toThrow(refusal)
    // It is the size of the first frame that counts.
    const small = { width: 10, height: 10, isAnimated: true }
    await expect(decodeWebp(animated(size), small)).rejects.toThrow(refusal)
  })
})

describe('a WebP that takes more memory than its header says', () => {
  it('is given up when the decoder wants more than there is', async () => {
    const file = await webpOf({ width: 2_000, height: 1_200 }, { lossless: 1, quality: 0 })
    const within = (size: Size) =>
      decodeByEmscripten<WebPModule>(makeDecoder, code, size, (decoder) =>
        decoder.decode(new Uint8Array(file)),
      )
    expect((await within({ width: 2_000, height: 500 })).width).toBe(2_000)
    // It begins with 16 MiB, and this leaves it 17.
    await expect(within({ width: 2_000, height: 2_000 })).rejects.toThrow(NotHereError)
  })
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
