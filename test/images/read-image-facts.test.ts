import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImageFacts } from '../../src/images/read-image-facts.ts'
import { heldAs, JPEGS } from '../support/jpegs.ts'
import { gifOf } from './gif-forms.ts'
import { pngForm } from './png-forms.ts'

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const upright = { orientation: 1, isAnimated: false }

describe('what an image is', () => {
  it('is recognized by its first bytes, whatever its name', () => {
    const png = pngForm({ width: 60_000, height: 3, color: 2, depth: 8, rows: [] })
    expect(readImageFacts(png)).toEqual({ type: 'png', width: 60_000, height: 3, ...upright })
    expect(readImageFacts(png.subarray(0, 24))).toMatchObject({ width: 60_000 })
    const gif = gifOf({ width: 300, height: 2, frames: [] })
    expect(readImageFacts(gif)).toEqual({ type: 'gif', width: 300, height: 2, ...upright })
    for (const jpeg of Object.values(JPEGS)) {
      expect(readImageFacts(jpeg)).toEqual({ type: 'jpeg', width: 32, height: 16, ...upright })
    }
  })

  it.each([
    ['VP8X\x0a\0\0\0\0\0\0\0\x3f\x01\0\x1f\0\0', { width: 320, height: 32, isAnimated: false }],
    ['VP8X\x0a\0\0\0\x12\0\0\0\x3f\x01\0\x1f\0\0', { width: 320, height: 32, isAnimated: true }],
    ['VP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\x01\x20\0', { width: 320, height: 32, isAnimated: false }],
    ['VP8L\0\0\0\0\x2f\x3f\xc1\x07\x10\0\0\0\0\0', { width: 320, height: 32, isAnimated: false }],
  ])('is found for each kind of WebP: %j', (chunk, facts) => {
    expect(readImageFacts(latin(`RIFF\0\0\0\0WEBP${chunk}`))).toEqual({
      type: 'webp',
      orientation: 1,
      ...facts,
    })
  })

  it.each([
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '%PDF-1.7',
    'BM',
    'GIF89a',
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff\xe0',
    'RIFF\0\0\0\0WEBPVP8 ',
    'RIFF\0\0\0\0WAVEfmt ',
  ])('is unknown for %j', (bytes) => expect(readImageFacts(latin(bytes))).toBeUndefined())

  it('is unknown without a width or a height', () => {
    expect(readImageFacts(pngForm({ width: 0, height: 5, color: 2, depth: 8, rows: [] }))).toBeUndefined()
    expect(readImageFacts(gifOf({ width: 5, height: 0, frames: [] }))).toBeUndefined()
  })
})

describe('a photo with orientation data', () => {
  it.each([1, 2, 3, 4])('%i keeps width and height as stored', (orientation) => {
    expect(readImageFacts(heldAs(orientation, JPEGS.baseline))).toMatchObject({
      width: 32,
      height: 16,
      orientation,
    })
  })

  it.each([5, 6, 7, 8])('%i swaps width and height', (orientation) => {
    expect(readImageFacts(heldAs(orientation, JPEGS.progressive))).toMatchObject({
      width: 16,
      height: 32,
      orientation,
    })
  })

  it.each([0, 9, 255])('with the invalid value %i is upright', (orientation) => {
    expect(readImageFacts(heldAs(orientation, JPEGS.baseline))).toMatchObject({ width: 32, orientation: 1 })
  })
})

describe('an image is animated', () => {
  it('when it is a GIF of more than one frame', () => {
    const frame = { width: 1, height: 1, codes: [4, 0, 5] }
    const framesOf = (count: number) => gifOf({ width: 1, height: 1, frames: new Array(count).fill(frame) })
    expect([0, 1, 2, 3].map((count) => readImageFacts(framesOf(count))?.isAnimated)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('when it is a GIF without its end', () => {
    const gif = gifOf({ width: 1, height: 1, frames: [{ width: 1, height: 1, codes: [4, 0, 5] }] })
    for (let length = 13; length < gif.length; length += 1) {
      expect(readImageFacts(gif.subarray(0, length))?.isAnimated).toBe(true)
    }
  })

  it('when it is a PNG with an animation chunk before its data', () => {
    const form = { width: 1, height: 1, color: 0, depth: 8, rows: [[0, 7]] }
    expect(readImageFacts(pngForm({ ...form, chunks: [['acTL', [0, 0, 0, 2]]] }))?.isAnimated).toBe(true)
    expect(readImageFacts(pngForm({ ...form, chunks: [['tEXt', [1]]] }))?.isAnimated).toBe(false)
  })
})

it('reading an image’s header ends, whatever follows its beginning', () => {
  const beginnings = ['GIF89a\x01\0\x01\0\0\0\0', '\xff\xd8\xff', 'RIFF\0\0\0\0WEBPVP8', '\x89PNG\r\n\x1a\n']
  fc.assert(
    fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), (beginning, rest) => {
      const facts = readImageFacts(new Uint8Array([...latin(beginning), ...rest]))
      expect(Math.min(facts?.width ?? 1, facts?.height ?? 1)).toBeGreaterThan(0)
    }),
  )
})
