import { describe, expect, it } from 'vitest'
import { jpegInRows } from '../../src/images/decode-jpeg.ts'
import { BrokenImageError } from '../../src/images/picture.ts'
import { fitInside } from '../../src/images/resize-image.ts'
import { Turns } from '../../src/images/turns.ts'
import { JPEGS } from '../support/jpegs.ts'
import { dcJpeg } from './dc-jpeg.ts'
import { turnsDuring } from './served-meanwhile.ts'
import { WAVES, waveAt } from './waves.ts'

const [WIDTH, HEIGHT] = [45, 37]
const SCALES = [1, 1 / 2, 1 / 4, 1 / 8]

async function drawn(bytes: Uint8Array, scale: number) {
  const { width, height, rows } = jpegInRows(bytes, scale)
  const data: number[] = []
  for await (const { data: row, start } of rows(new Turns()))
    data.push(...row.subarray(start, start + width * 4))
  expect(data).toHaveLength(width * height * 4)
  return { width, height, data }
}

/** The mean brightness that the wave has where a pixel of a smaller picture is. */
function meanAt(x: number, y: number, edge: number): number {
  let sum = 0
  for (let row = 0; row < edge; row += 1) {
    for (let column = 0; column < edge; column += 1) sum += waveAt(x * edge + column, y * edge + row)
  }
  return sum / edge ** 2
}

describe('a JPEG in rows', () => {
  it('has the brightness that was compressed, whole and smaller', async () => {
    for (const scale of SCALES) {
      const edge = 1 / scale
      const { width, height, data } = await drawn(WAVES.gray, scale)
      expect([width, height]).toEqual([Math.ceil(WIDTH / edge), Math.ceil(HEIGHT / edge)])
      for (let y = 0; y < Math.floor(HEIGHT / edge); y += 1) {
        for (let x = 0; x < Math.floor(WIDTH / edge); x += 1) {
          const off = Math.abs(data[(y * width + x) * 4]! - meanAt(x, y, edge))
          expect(off, `${x}, ${y} at ${scale}`).toBeLessThan(scale === 1 ? 6 : 16)
        }
      }
    }
  })

  it('has the colours that libjpeg draws', async () => {
    const { data } = await drawn(WAVES.baseline, 1)
    const pixelAt = (x: number, y: number) => data.slice((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3)
    for (const [x, y, color] of [
      [0, 0, [140, 128, 202]],
      [20, 11, [71, 152, 94]],
      [44, 36, [89, 125, 209]],
    ] as const) {
      for (const [channel, value] of pixelAt(x, y).entries()) {
        // libjpeg smooths colours between their values, of which there are half as many.
        expect(Math.abs(value - color[channel]!), `${x}, ${y}`).toBeLessThan(16)
      }
    }
  })

  it.each(['progressive', 'restarting', 'progressiveRestarting'] as const)(
    'that is %s is the same as a baseline one',
    async (form) => {
      for (const scale of SCALES) {
        expect(await drawn(WAVES[form], scale)).toEqual(await drawn(WAVES.baseline, scale))
      }
    },
  )

  it('is drawn at least at the wanted scale, at less than twice that', () => {
    const widthAt = (scale: number) => jpegInRows(WAVES.gray, scale).width
    expect([0.01, 0.125, 0.13, 0.25, 0.3, 0.5, 0.51, 1, 8].map(widthAt)).toEqual([
      6, 6, 12, 12, 23, 23, 45, 45, 45,
    ])
  })

  it('of 52 megapixels or less is drawn if it takes little memory', async () => {
    const sized = (jpeg: Uint8Array, frame: number, width: number, height: number) => {
      const at = jpeg.findIndex((byte, index) => byte === 0xff && jpeg[index + 1] === frame)
      return jpeg
        .with(at + 5, height >> 8)
        .with(at + 6, height & 255)
        .with(at + 7, width >> 8)
        .with(at + 8, width & 255)
    }
    expect(jpegInRows(sized(JPEGS.baseline, 0xc0, 8_600, 6_000), 1).width).toBe(8_600)
    expect(() => jpegInRows(sized(JPEGS.baseline, 0xc0, 8_700, 6_000), 1)).toThrow(BrokenImageError)
    // All values of a progressive one are in memory, but at a quarter of the size they are few.
    expect(jpegInRows(sized(JPEGS.progressive, 0xc2, 8_600, 6_000), 0.2).width).toBe(2_150)
    expect(() => jpegInRows(sized(JPEGS.progressive, 0xc2, 8_600, 6_000), 1)).toThrow(BrokenImageError)
    // The largest photographs of phones, at the largest size that is made of them.
    for (const [width, height] of [
      [8_160, 6_144],
      [4_032, 3_024],
    ] as const) {
      const scale = Math.max(840 / width, 500 / height)
      expect(jpegInRows(sized(JPEGS.progressive, 0xc2, width, height), scale).width).toBeGreaterThan(500)
    }
  })

  it('is drawn while others are served, however many scans it has', async () => {
    const blocks = new Array(250 * 125).fill(100)
    for (const components of [[blocks], [blocks, blocks, blocks]]) {
      const jpeg = dcJpeg({ width: 2_000, height: 1_000, components })
      const turns = await turnsDuring(() => fitInside(jpeg, { maxWidth: 84, maxHeight: 56 }))
      expect(turns).toBeGreaterThan(2 * components.length)
    }
  })
})
