import makeDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import decoderCode from '@jsquash/webp/codec/dec/webp_dec.wasm'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { describe, expect, it } from 'vitest'
import { decodeInTurns } from '../../src/images/decode-webp.ts'
import type { Pixels } from '../../src/images/picture.ts'
import { decodeWebp } from '../../src/images/webp-codec.ts'
import { turnsDuring } from './served-meanwhile.ts'
import { FACTS, webpOf } from './webp-forms.ts'

describe('a WebP that would take too much memory', () => {
  it('is given up when the decoder wants more memory than there is', async () => {
    const size = { width: 2_000, height: 1_200 }
    const file = await webpOf(size, { lossless: 1, quality: 0 })
    expect(await decodeInTurns(file, decoderCode, 30_000_000)).toMatchObject(size)
    // It begins with 16 MiB.
    expect(await decodeInTurns(file, decoderCode, 17_000_000).catch(() => null)).toBeNull()
  })
})

describe.each([
  ['lossy', { lossless: 0, quality: 50 }],
  ['lossless', { lossless: 1, quality: 50 }],
] as const)('a %s WebP', (_, options) => {
  it('is decoded while others are served, and as the library decodes it at once', async () => {
    const bytes = await webpOf(FACTS, options)
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
})
