import makeDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeEncoder, { type WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { describe, expect, it } from 'vitest'
import { decodeInTurns } from '../../src/images/decode-webp.ts'
import { BrokenImageError, type Pixels } from '../../src/images/picture.ts'
import { decodeWebp } from '../../src/images/webp-codec.ts'
import { turnsDuring } from './served-meanwhile.ts'

const SIZE = { width: 1_200, height: 900 }
const FACTS = { ...SIZE, isAnimated: false }

/** Colours that run across the picture, with stripes of some noise. */
function picture({ width, height }: typeof SIZE): Uint8ClampedArray<ArrayBuffer> {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0, pixel = 0; at < data.length; at += 4, pixel += 1) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    data.set([x / 5, y / 4, (x * y) % 97, (x + y) % 50 === 0 ? 100 : 255], at)
  }
  return data
}

async function webp(options: { lossless: 0 | 1 }): Promise<Uint8Array> {
  const encoder = await initEmscriptenModule<WebPModule>(makeEncoder, encoderCode)
  const { width, height } = SIZE
  const some = { ...defaultOptions, ...options, method: 0, quality: 50 }
  return encoder.encode(picture(SIZE), width, height, some)!.slice()
}

/** A WebP of these sizes, without a picture: a chunk of this type alone, and a header that has the size. */
function empty(type: 'VP8 ' | 'VP8L' | 'ALPH', { width, height }: typeof SIZE): Uint8Array {
  const bytes = Buffer.from(`RIFF    WEBPVP8X    ${'\0'.repeat(10)}${type}\0\0\0\0`)
  bytes.writeUInt32LE(10, 16)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return new Uint8Array(bytes)
}

/** An animation of ten by ten pixels, as its header says, whose first frame is a lossless picture of this size. */
function animated({ width, height }: typeof SIZE): Uint8Array {
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

  it('is given up when the decoder wants more memory than there is', async () => {
    const size = { width: 2_000, height: 1_200 }
    const encoder = await initEmscriptenModule<WebPModule>(makeEncoder, encoderCode)
    const options = { ...defaultOptions, lossless: 1, method: 0, quality: 0 } as const
    const bytes = encoder.encode(picture(size), size.width, size.height, options)
    const file = bytes!.slice()
    expect(await decodeInTurns(file, decoderCode, 30_000_000)).toMatchObject(size)
    // It begins with 16 MiB.
    expect(await decodeInTurns(file, decoderCode, 17_000_000).catch(() => null)).toBeNull()
  })
})

describe.each([
  ['lossy', { lossless: 0 }],
  ['lossless', { lossless: 1 }],
] as const)('a %s WebP', (_, options) => {
  it('is decoded while others are served, and as the library decodes it at once', async () => {
    const bytes = await webp(options)
    let decoded: Pixels | undefined
    const turns = await turnsDuring(async () => {
      decoded = await decodeWebp(bytes, FACTS)
    })
    expect(turns).toBeGreaterThan(3)
    const decoder = await initEmscriptenModule(makeDecoder, decoderCode)
    const atOnce = decoder.decode(bytes)!
    expect([decoded!.width, decoded!.height]).toEqual([atOnce.width, atOnce.height])
    expect(Buffer.from(decoded!.data.buffer).equals(Buffer.from(atOnce.data.buffer))).toBe(true)
  })

  it('that ends too early is refused, wherever it does', async () => {
    const bytes = await webp(options)
    for (const part of [0.1, 0.5, 0.9]) {
      const cut = bytes.subarray(0, bytes.length * part)
      await expect(decodeWebp(cut, FACTS)).rejects.toThrow(BrokenImageError)
    }
  })
})
