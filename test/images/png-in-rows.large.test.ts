import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BrokenImageError, type PictureInRows } from '../../src/images/picture.ts'
import { largePng, pngInRows } from '../../src/images/png-in-rows.ts'
import { pngFormOf } from '../../src/images/png-pixels.ts'
import { readImageFacts } from '../../src/images/read-image-facts.ts'
import { fitInside } from '../../src/images/resize-image.ts'
import { Turns } from '../../src/images/turns.ts'
import { pixelsOf } from '../support/pixels.ts'
import { pngForm } from './png-forms.ts'
import { turnsDuring } from './served-meanwhile.ts'

/** Colour type, values of each pixel, and its depths. */
const FORMS = [
  [0, 1, [1, 2, 4, 8, 16]],
  [2, 3, [8, 16]],
  [3, 1, [1, 2, 4, 8]],
  [4, 2, [8, 16]],
  [6, 4, [8, 16]],
] as const

const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Returns numbers from 0 to 255 that look random. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 16) & 0xff
  }
}

interface Drawn {
  readonly form: number
  readonly depth: number
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly isInterlaced: boolean
  readonly hasUnseen: boolean
}

/** Returns a PNG of random bytes and filters, since any bytes make a picture. */
function randomPng({ form, depth, width, height, seed, isInterlaced, hasUnseen }: Drawn): Uint8Array {
  const [color, values, depths] = FORMS[form % FORMS.length]!
  const bits = depths[depth % depths.length]!
  const next = numbersFrom(seed)
  const row = (pixels: number) => [
    next() % 5,
    // Only two different values, so that the transparent colour occurs.
    ...Array.from({ length: Math.ceil((pixels * values * bits) / 8) }, () =>
      hasUnseen ? next() % 2 : next(),
    ),
  ]
  const rows = isInterlaced
    ? PASSES.flatMap(([left, top, across, down]) => {
        const pixels = Math.max(Math.ceil((width - left) / across), 0)
        const count = pixels === 0 ? 0 : Math.max(Math.ceil((height - top) / down), 0)
        return Array.from({ length: count }, () => row(pixels))
      })
    : Array.from({ length: height }, () => row(width))
  const palette = ['PLTE', Array.from({ length: 3 * 2 ** Math.min(bits, 8) }, next)] as const
  const unseen = ['tRNS', color === 3 ? [next(), next()] : new Array(values * 2).fill(0)] as const
  const chunks = [
    ...(color === 3 ? [palette] : []),
    ...(hasUnseen && [0, 2, 3].includes(color) ? [unseen] : []),
  ]
  return pngForm({ width, height, color, depth: bits, rows, isInterlaced, chunks })
}

async function allOf(picture: PictureInRows): Promise<Uint8Array> {
  const all: number[] = []
  for await (const { data, start } of picture.rows(new Turns())) {
    all.push(...data.subarray(start, start + picture.width * 4))
  }
  return new Uint8Array(all)
}

const drawn = fc.record({
  form: fc.nat(4),
  depth: fc.nat(4),
  width: fc.integer({ min: 1, max: 23 }),
  height: fc.integer({ min: 1, max: 19 }),
  seed: fc.nat(1_000_000),
  hasUnseen: fc.boolean(),
})

/** Returns a black picture, each of whose rows has this filter. */
function flat(width: number, height: number, filter = 0): Uint8Array {
  const row = [filter, ...new Array(Math.ceil(width / 8)).fill(0)]
  return pngForm({ width, height, color: 0, depth: 1, rows: new Array(height).fill(row) })
}

describe('a large PNG', () => {
  it('is row by row what it is as a whole, whatever its form', async () => {
    const same = async (each: Omit<Drawn, 'isInterlaced'>) => {
      const png = randomPng({ ...each, isInterlaced: false })
      expect(await allOf(pngInRows(png, pngFormOf(png)))).toEqual(new Uint8Array(pixelsOf(png).data))
    }
    await fc.assert(fc.asyncProperty(drawn, same), { numRuns: 400 })
  })

  it('that comes in seven passes is every second pixel of every second row', async () => {
    const same = async (each: Omit<Drawn, 'isInterlaced'>) => {
      const png = randomPng({ ...each, isInterlaced: true })
      const whole = pixelsOf(png)
      const half = pngInRows(png, pngFormOf(png))
      const expected = [...whole.data].filter((_, at) => {
        const [x, y] = [(at >> 2) % whole.width, Math.floor((at >> 2) / whole.width)]
        return x % 2 === 0 && y % 2 === 0
      })
      expect([half.width, half.height]).toEqual([Math.ceil(whole.width / 2), Math.ceil(whole.height / 2)])
      expect([...(await allOf(half))]).toEqual(expected)
    }
    await fc.assert(fc.asyncProperty(drawn, same), { numRuns: 200 })
  })

  it('is drawn while others are served', async () => {
    let fitted: Uint8Array | undefined
    const turns = await turnsDuring(async () => {
      fitted = await fitInside(flat(3_000, 2_000), { maxWidth: 84, maxHeight: 56 })
    })
    expect(readImageFacts(fitted!)).toMatchObject({ width: 84, height: 56 })
    expect(turns).toBeGreaterThan(6)
  })

  it.each([
    ['that ends too early', flat(3_000, 2_000).subarray(0, 80)],
    ['whose stream is rubbish', flat(3_000, 2_000).map((byte, at) => (at > 70 ? 0xff : byte))],
    ['with a filter that there is not', flat(3_000, 2_000, 5)],
    ['of more pixels than anybody draws', flat(30_000, 1_000)],
  ])('%s is refused', async (_, png) => {
    expect(await fitInside(png, { maxWidth: 84, maxHeight: 56 })).toBeUndefined()
  })

  it('of unknown form is refused, and a small one is not drawn in rows', () => {
    const large = flat(3_000, 2_000)
    const size = { width: 3_000, height: 2_000 }
    expect(() => largePng(large.with(24, 3), size)).toThrow(BrokenImageError)
    expect(() => largePng(large.with(25, 3), size)).toThrow(BrokenImageError)
    expect(largePng(large, { width: 900, height: 900 })).toBeUndefined()
  })
})
