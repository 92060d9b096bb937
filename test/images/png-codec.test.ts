import { describe, expect, it } from 'vitest'
import { BrokenImageError } from '../../src/images/picture.ts'
import { encodePng } from '../../src/images/png-codec.ts'
import { pixelsOf } from '../support/pixels.ts'
import { pngForm } from './png-forms.ts'

const valuesOf = (png: Uint8Array) => [...pixelsOf(png).data]
const gray = (value: number) => [value, value, value, 255]

describe('a PNG', () => {
  it('with one, two or four bits of gray has the right brightness', () => {
    const bits = pngForm({ width: 3, height: 1, color: 0, depth: 1, rows: [[0, 0b10100000]] })
    expect(valuesOf(bits)).toEqual([gray(255), gray(0), gray(255)].flat())
    const pairs = pngForm({ width: 4, height: 1, color: 0, depth: 2, rows: [[0, 0b00011011]] })
    expect(valuesOf(pairs)).toEqual([gray(0), gray(85), gray(170), gray(255)].flat())
    const quarters = pngForm({ width: 2, height: 1, color: 0, depth: 4, rows: [[0, 0x0f]] })
    expect(valuesOf(quarters)).toEqual([gray(0), gray(255)].flat())
  })

  it('with sixteen bits has the colours of the upper eight', () => {
    const rgb = pngForm({ width: 1, height: 1, color: 2, depth: 16, rows: [[0, 10, 99, 20, 99, 30, 99]] })
    expect(valuesOf(rgb)).toEqual([10, 20, 30, 255])
    const rgba = pngForm({
      width: 1,
      height: 1,
      color: 6,
      depth: 16,
      rows: [[0, 10, 0, 20, 0, 30, 0, 128, 0]],
    })
    expect(valuesOf(rgba)).toEqual([10, 20, 30, 128])
    const grayAlpha = pngForm({ width: 1, height: 1, color: 4, depth: 16, rows: [[0, 77, 0, 51, 0]] })
    expect(valuesOf(grayAlpha)).toEqual([77, 77, 77, 51])
  })

  it('with a palette has its colours and their transparency', () => {
    const chunks = [
      ['PLTE', [1, 2, 3, 40, 50, 60]],
      ['tRNS', [0, 200]],
    ] as const
    const png = pngForm({ width: 3, height: 1, color: 3, depth: 8, rows: [[0, 1, 0, 9]], chunks })
    // A number without a colour in the table becomes black.
    expect(valuesOf(png)).toEqual([40, 50, 60, 200, 1, 2, 3, 0, 0, 0, 0, 255])
  })

  it('may have one transparent colour', () => {
    const chunks = [['tRNS', [0, 9, 0, 8, 0, 7]]] as const
    const png = pngForm({ width: 2, height: 1, color: 2, depth: 8, rows: [[0, 9, 8, 7, 9, 8, 6]], chunks })
    expect(valuesOf(png)).toEqual([9, 8, 7, 0, 9, 8, 6, 255])
  })

  it('may be interlaced', () => {
    const rows = [
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 4, 5, 6],
      [0, 7, 8],
      [0, 9, 10],
      [0, 11, 12, 13, 14, 15],
    ]
    const png = pngForm({ width: 5, height: 3, color: 0, depth: 8, rows, isInterlaced: true })
    // The passes in the order of the format; the third would begin in row 4.
    const seen = pixelsOf(png)
    expect([seen.width, seen.height]).toEqual([5, 3])
    expect([...seen.data].filter((_, index) => index % 4 === 0)).toEqual([
      ...[1, 7, 3, 8, 2],
      ...[11, 12, 13, 14, 15],
      ...[4, 9, 5, 10, 6],
    ])
  })

  it.each([
    ['cut off in the middle', (png: Uint8Array) => png.subarray(0, png.length - 30)],
    ['of no form there is', (png: Uint8Array) => png.with(25, 5)],
    ['whose stream is rubbish', (png: Uint8Array) => png.map((byte, at) => (at > 70 ? 0xff : byte))],
  ])('%s cannot be decoded', (_, breakUp) => {
    const data = new Uint8ClampedArray(20 * 20 * 4).map((_, index) => index * 7)
    const png = encodePng({ width: 20, height: 20, data })
    expect(pixelsOf(png).width).toBe(20)
    expect(() => pixelsOf(breakUp(png))).toThrow(BrokenImageError)
  })
})

describe('a PNG that was written', () => {
  it('is read back unchanged, with and without alpha', () => {
    const data = new Uint8ClampedArray(7 * 5 * 4).map((_, index) => (index * index * 31) % 256)
    const opaque = data.map((value, index) => (index % 4 === 3 ? 255 : value))
    const seen = data.map((value, index) => (index % 4 === 3 ? Math.max(value, 1) : value))
    for (const pixels of [opaque, seen]) {
      const png = encodePng({ width: 7, height: 5, data: pixels })
      expect(pixelsOf(png)).toMatchObject({ width: 7, height: 5, data: pixels })
    }
  })
})
