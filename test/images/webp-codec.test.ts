import makeDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import makeEncoder, { type WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { describe, expect, it } from 'vitest'
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
function empty(type: 'VP8 ' | 'VP8L' | 'ALPH', size: typeof SIZE): Parameters<typeof decodeWebp> {
  const bytes = Buffer.from(`RIFF    WEBPVP8X    ${' '.repeat(10)}${type}    `)
  bytes.writeUInt32LE(10, 16)
  bytes.writeUInt32LE(0, bytes.length - 4)
  return [new Uint8Array(bytes), { ...size, isAnimated: false }]
}

describe('a WebP that would take too much memory', () => {
  it.each([
    ['VP8 ', 3_900, false],
    ['VP8 ', 4_001, true],
    ['VP8L', 2_500, false],
    ['VP8L', 2_600, true],
    ['ALPH', 2_600, true],
  ] as const)('is refused before it is decoded: %s, %i thousand pixels', async (type, width, isRefused) => {
    const decoded = decodeWebp(...empty(type, { width, height: 1_000 }))
    await expect(decoded).rejects.toThrow(isRefused ? 'too large' : 'No such form')
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
