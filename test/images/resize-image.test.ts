import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodePng } from '../../src/images/png-codec.ts'
import { readImageFacts } from '../../src/images/read-image-facts.ts'
import { cropSquare, fitInside, type Shrink } from '../../src/images/resize-image.ts'
import { heldAs, JPEGS, type JpegForm } from '../support/jpegs.ts'
import { cornersOf, pixelsOf } from '../support/pixels.ts'
import { dcJpeg } from './dc-jpeg.ts'
import { gifOf } from './gif-forms.ts'
import { pngForm } from './png-forms.ts'

const LARGE = { maxWidth: 1_000, maxHeight: 1_000, format: 'png' } as const
const red = [255, 0, 0, 255]

function filled(width: number, height: number, color = red): Uint8Array {
  const data = new Uint8ClampedArray(width * height * 4).map((_, index) => color[index % 4]!)
  return encodePng({ width, height, data })
}

/** Returns the resized picture as PNG. Throws if it cannot be resized. */
async function fitted(bytes: Uint8Array, maxWidth = 1_000, maxHeight = 1_000): Promise<Uint8Array> {
  const png = await fitInside(bytes, { maxWidth, maxHeight, format: 'png' })
  expect(png).toBeDefined()
  return png!
}

const sizeOf = (image: Uint8Array | undefined) => {
  const facts = image && readImageFacts(image)
  return facts && [facts.width, facts.height]
}

describe('an image fitted into a size', () => {
  it.each([
    [400, 100, [200, 50]],
    [100, 400, [25, 100]],
    [200, 100, [200, 100]],
    // A picture is never enlarged, and no side becomes 0.
    [3, 2, [3, 2]],
    [1, 1, [1, 1]],
    [1, 5_000, [1, 100]],
    [5_000, 1, [200, 1]],
  ])('200 × 100 of %i × %i pixels becomes %j', async (width, height, size) => {
    const image = filled(width, height)
    expect(sizeOf(await fitInside(image, { maxWidth: 200, maxHeight: 100 }))).toEqual(size)
    expect(sizeOf(await fitted(image, 200, 100))).toEqual(size)
  })

  it('becomes a WebP that keeps transparency', async () => {
    const webp = await fitInside(filled(40, 20, [0, 0, 255, 0]), { maxWidth: 20, maxHeight: 20 })
    expect(readImageFacts(webp!)).toMatchObject({ type: 'webp', width: 20, height: 10 })
    expect(new Set(pixelsOf(await fitted(webp!)).data)).toEqual(new Set([0]))
  })

  it('averages the covered pixels, weighting colours by visibility', async () => {
    const data = Uint8ClampedArray.of(...[255, 0, 0, 255], ...[0, 255, 0, 0], ...[0, 0, 0, 255], ...red)
    const small = pixelsOf(await fitted(encodePng({ width: 4, height: 1, data }), 2, 2))
    expect([...small.data]).toEqual([255, 0, 0, 128, 128, 0, 0, 255])
  })
})

describe('a square', () => {
  it('is cut from the middle of the image', async () => {
    const data = new Uint8ClampedArray(30 * 10 * 4)
    const colors = [
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 255, 255],
    ] as const
    for (let at = 0; at < 300; at += 1) data.set(colors[Math.floor((at % 30) / 10)]!, at * 4)
    const square = await cropSquare(encodePng({ width: 30, height: 10, data }), 4)
    expect(sizeOf(square)).toEqual([4, 4])
    expect(cornersOf(square!)).toBe('green green green green')
  })

  it('is enlarged where the image is smaller', async () => {
    const square = pixelsOf((await cropSquare(filled(2, 1, [9, 99, 199, 50]), 7))!)
    expect([square.width, square.height]).toEqual([7, 7])
    expect([...square.data.subarray(0, 4)]).toEqual([9, 99, 199, 50])
    expect(new Set(square.data)).toEqual(new Set([9, 99, 199, 50]))
    expect(sizeOf(await cropSquare(filled(1, 5_000), 50))).toEqual([50, 50])
  })

  it('respects the orientation', async () => {
    expect(cornersOf((await cropSquare(heldAs(6, JPEGS.baseline), 16))!)).toBe('blue red white green')
  })
})

describe('a JPEG', () => {
  it.each(['baseline', 'progressive', 'fullColor'] satisfies JpegForm[])('may be %s', async (form) => {
    expect(cornersOf(await fitted(JPEGS[form]))).toBe('red green blue white')
  })

  it('may be gray', async () => {
    const { data } = pixelsOf(await fitted(JPEGS.gray))
    expect([...data.subarray(0, 4)].map((value) => Math.round(value / 8))).toEqual([16, 16, 16, 32])
  })

  it('may have 100 scans', async () => {
    const scansOf = (count: number) =>
      within(JPEGS.progressive, new Array(count).fill([0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0]).flat())
    expect(cornersOf(await fitted(scansOf(80)))).toBe('red green blue white')
    expect(await fitInside(scansOf(100), LARGE)).toBeUndefined()
  })

  it.each([
    [1, 'red green blue white'],
    [2, 'green red white blue'],
    [3, 'white blue green red'],
    [4, 'blue white red green'],
    [5, 'red blue green white'],
    [6, 'blue red white green'],
    [7, 'white green blue red'],
    [8, 'green white red blue'],
  ])('with orientation %i becomes upright', async (orientation, corners) => {
    for (const form of ['baseline', 'progressive'] as const) {
      const png = await fitted(heldAs(orientation, JPEGS[form]))
      expect([cornersOf(png), sizeOf(png)]).toEqual([corners, orientation < 5 ? [32, 16] : [16, 32]])
    }
  })

  it.each([16, 12, 8, 7, 5, 4])('shrinks to %i pixels with all its colours', async (width) => {
    const webp = await fitInside(heldAs(3, JPEGS.progressive), { maxWidth: width, maxHeight: 100 })
    expect(sizeOf(webp)).toEqual([width, Math.max(1, Math.round(width / 2))])
    expect(cornersOf(await fitted(heldAs(3, JPEGS.progressive), width))).toBe('white blue green red')
  })

  it('may have restart markers, and its components one after the other', async () => {
    const blocks = [10, 200, 40, 90, 250, 128]
    const gray = dcJpeg({ width: 24, height: 16, components: [blocks], restartInterval: 2 })
    const { data } = pixelsOf(await fitted(gray))
    const seen = blocks.map((_, index) => data[(Math.floor(index / 3) * 8 * 24 + (index % 3) * 8) * 4])
    expect(seen).toEqual(blocks)
    // The first block has brightness and no colour, the second one the maximum of red.
    const colors = dcJpeg({
      width: 16,
      height: 8,
      components: [
        [100, 100],
        [128, 128],
        [128, 255],
      ],
    })
    expect([...pixelsOf(await fitted(colors)).data.subarray(28, 36)]).toEqual([
      100, 100, 100, 255, 255, 9, 100, 255,
    ])
  })

  it('may have a size that is no multiple of a block', async () => {
    const png = await fitted(dcJpeg({ width: 9, height: 3, components: [[50, 60]] }))
    expect(sizeOf(png)).toEqual([9, 3])
    expect([...pixelsOf(png).data.subarray(28, 36)]).toEqual([50, 50, 50, 255, 60, 60, 60, 255])
  })
})

describe('a GIF', () => {
  const codes = [4, 1, 6, 2, 2, 5]

  it('becomes its first frame, at its offset', async () => {
    // Code 6 comes into being while it is read, and stands for two further red pixels.
    const frame = { left: 1, top: 1, width: 5, height: 1, codes, transparent: 2 }
    const blue = { width: 7, height: 3, codes: [4, 3, 5] }
    const { data } = pixelsOf(await fitted(gifOf({ width: 7, height: 3, frames: [frame, blue] })))
    const row = data.subarray(7 * 4, 14 * 4)
    expect([...row]).toEqual([...[0, 0, 0, 0], ...red, ...red, ...red, ...new Array(12).fill(0)])
  })

  it('may be interlaced', async () => {
    const frame = { width: 1, height: 5, isInterlaced: true, codes: [4, 0, 1, 2, 3, 0, 5] }
    const { data } = pixelsOf(await fitted(gifOf({ width: 1, height: 5, frames: [frame] })))
    const colors = Array.from({ length: 5 }, (_, y) => [...data.subarray(y * 4, y * 4 + 3)])
    const [black, green, blue] = [
      [0, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]
    expect(colors).toEqual([black, blue, green, black, red.slice(0, 3)])
  })

  it('may have codes of up to twelve bits', async () => {
    const numbers = Array.from({ length: 9_000 }, (_, index) => (index * index * 7) % 4)
    const frame = { width: 90, height: 100, codes: [4, ...numbers, 5] }
    const { data } = pixelsOf(await fitted(gifOf({ width: 90, height: 100, frames: [frame] })))
    const values = [
      [0, 0, 0],
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]
    expect([...data].filter((_, index) => index % 4 !== 3)).toEqual(
      numbers.flatMap((number) => values[number]!),
    )
  })

  it.each([
    ['without a frame', []],
    ['with a frame of nothing', [{ width: 0, height: 4, codes: [4, 5] }]],
    ['that ends too early', [{ width: 4, height: 4, codes: [4, 1, 5] }]],
    // A decoder that accepts such codes would follow them in a circle for ever.
    ['with codes that are not made yet', [{ width: 40, height: 40, codes: [4, 1, 1, 7, 7, 7, 7, 5] }]],
    ['with a frame that is far too large', [{ width: 65_535, height: 65_535, codes: [4, 1, 5] }]],
  ])('%s cannot be decoded', async (_, frames) => {
    expect(await fitInside(gifOf({ width: 4, height: 4, frames }), LARGE)).toBeUndefined()
  })
})

describe('an animated WebP', () => {
  it('becomes its first frame', async () => {
    for (const alpha of [255, 128]) {
      const still = Buffer.from(
        (await fitInside(filled(6, 4, [255, 0, 0, alpha]), { maxWidth: 9, maxHeight: 9 }))!,
      )
      // The chunks after the header and, with alpha, after the chunk that declares it.
      const picture = still.subarray(alpha === 255 ? 12 : 30)
      const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 5, 0, 0, 3, 0, 0, 9, 0, 0, 0]), picture])
      const moving = Buffer.concat([
        Buffer.from(
          'RIFF\xff\xff\0\0WEBPVP8X\x0a\0\0\0\x12\0\0\0\x05\0\0\x03\0\0ANIM\x06\0\0\0\0\0\0\0\0\0',
          'latin1',
        ),
        ...['ANMF'].map((name) => Buffer.from(name)),
        Buffer.from(Uint32Array.of(frame.length).buffer),
        frame,
      ])
      expect(readImageFacts(new Uint8Array(moving))).toMatchObject({ width: 6, height: 4, isAnimated: true })
      const png = await fitted(new Uint8Array(moving))
      expect([sizeOf(png), pixelsOf(png).data[3]]).toEqual([[6, 4], alpha])
    }
  })
})

describe('a picture that is too large to be decoded here', () => {
  const large = dcJpeg({ width: 2_200, height: 1_000, components: [new Array(275 * 125).fill(9)] })

  /** Shrinks to a picture of one colour, and notes what it was asked. */
  function shrinking() {
    const asked: { orientation: number | undefined; width: number; height: number }[] = []
    const shrink: Shrink = async (bytes, size) => {
      asked.push({ orientation: readImageFacts(bytes)?.orientation, ...size })
      return filled(size.width, size.height)
    }
    return { asked, shrink }
  }

  it('cannot be drawn if nothing makes it smaller', async () => {
    expect(await fitInside(large, LARGE)).toBeUndefined()
    expect(await cropSquare(large, 10)).toBeUndefined()
    expect(await fitInside(large, LARGE, async () => undefined)).toBeUndefined()
    expect(await fitInside(large, LARGE, async () => new Uint8Array(9))).toBeUndefined()
  })

  it('is made as small as needed, unturned, and turned then', async () => {
    const { asked, shrink } = shrinking()
    const lying = heldAs(6, large)
    expect(sizeOf(await fitInside(lying, { maxWidth: 100, maxHeight: 110 }, shrink))).toEqual([50, 110])
    expect(sizeOf(await cropSquare(lying, 100, shrink))).toEqual([100, 100])
    expect(asked).toEqual([
      { orientation: 1, width: 110, height: 50 },
      { orientation: 1, width: 220, height: 100 },
    ])
    // The file itself stays as it was.
    expect(readImageFacts(lying)?.orientation).toBe(6)
  })

  it('is not asked for when it would stay too large', async () => {
    const { asked, shrink } = shrinking()
    const strip = dcJpeg({ width: 40, height: 65_000, components: [[9]] })
    const wide = sized(JPEGS.baseline, 2_000)
    expect(await cropSquare(strip, 500, shrink)).toBeUndefined()
    expect(await fitInside(wide, { maxWidth: 2_000, maxHeight: 2_000 }, shrink)).toBeUndefined()
    expect(asked).toEqual([])
  })

  it('may be a small one for print', async () => {
    const { asked, shrink } = shrinking()
    expect(await fitInside(JPEGS.print, LARGE)).toBeUndefined()
    expect(sizeOf(await fitInside(JPEGS.print, LARGE, shrink))).toEqual([32, 16])
    expect(asked).toEqual([{ orientation: 1, width: 32, height: 16 }])
  })
})

describe('a hostile picture', () => {
  const declared = (width: number, height: number) =>
    pngForm({ width, height, color: 6, depth: 8, rows: [[0, 1, 2, 3, 4]] })

  it.each([
    ['of 60,000 × 60,000 pixels', declared(60_000, 60_000)],
    ['as wide as can be', declared(2 ** 31 - 1, 1)],
    ['with far less than it says', declared(8_000, 8_000)],
    ['that is a JPEG of 65,535 × 65,535', sized(JPEGS.baseline, 65_535)],
    ['that is a JPEG with far less than it says', sized(JPEGS.baseline, 8_000)],
    ['that is a progressive JPEG of 8,000 × 8,000', sized(JPEGS.progressive, 8_000)],
    ['of nothing', new Uint8Array(0)],
    ['of text', new Uint8Array(Buffer.from('<script>alert(1)</script>'))],
  ])('%s is refused', async (_, bytes) => {
    expect(await fitInside(bytes, LARGE)).toBeUndefined()
    expect(await cropSquare(bytes, 10)).toBeUndefined()
  })

  const hugeFrame = [0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0]
  const table = [0xff, 0xc4, 0, 20, 0x00, ...new Array(15).fill(0), 17, 1]
  const withComponents = (count: number) =>
    JPEGS.print.map((byte, at, { [at - 9]: before, [at - 8]: marker }) =>
      before === 0xff && marker === 0xc0 ? count : byte,
    )
  const emptyScan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]

  it.each([
    ['of a size that stands where a table should end', within(JPEGS.baseline, [...table, ...hugeFrame], 2)],
    ['with a second, huge frame', within(JPEGS.baseline, hugeFrame)],
    ['with more scans than values', within(JPEGS.progressive, new Array(60).fill(emptyScan).flat())],
    ['with a scan of 255 components', within(JPEGS.baseline, [0xff, 0xda, 2, 4, 255, 1, 0])],
    ['of no components', withComponents(0)],
    ['of 255 components', withComponents(255)],
  ])('that is a JPEG %s is refused', async (_, bytes) => {
    expect(readImageFacts(bytes)?.type).toBe('jpeg')
    expect(await fitInside(bytes, LARGE)).toBeUndefined()
  })

  it('may be a JPEG with an embedded preview and trailing video', async () => {
    const preview = within(JPEGS.baseline, [0xff, 0xe2, 0, hugeFrame.length + 2, ...hugeFrame], 2)
    expect(cornersOf(await fitted(new Uint8Array([...preview, ...hugeFrame, ...hugeFrame])))).toBe(
      'red green blue white',
    )
  })

  it('that is a JPEG cut off anywhere is refused', async () => {
    for (const jpeg of [JPEGS.baseline, JPEGS.print]) {
      for (let length = 0; length < jpeg.length - 4; length += 1) {
        expect(await fitInside(jpeg.subarray(0, length), LARGE), `${length}`).toBeUndefined()
      }
    }
  })

  it('changed anywhere is either refused or drawn', async () => {
    const webp = (await fitInside(filled(30, 20), { maxWidth: 30, maxHeight: 20 }))!
    const gif = gifOf({ width: 4, height: 1, frames: [{ width: 4, height: 1, codes: [4, 1, 6, 2, 5] }] })
    const pictures = [...Object.values(JPEGS), filled(30, 20), webp, gif]
    const change = fc.tuple(fc.nat(600), fc.integer({ min: 0, max: 255 }))
    let drawn = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pictures),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.nat(600),
        async (picture, changes, cut) => {
          const bytes = picture.slice(0, cut % 3 === 0 ? picture.length - (cut % picture.length) : undefined)
          for (const [at, value] of changes) bytes[at % picture.length] = value
          const image = await fitInside(bytes, { maxWidth: 20, maxHeight: 20, format: 'png' })
          if (!image) return
          drawn += 1
          expect(Math.max(...sizeOf(image)!)).toBeLessThanOrEqual(20)
        },
      ),
      { numRuns: 300 },
    )
    expect(drawn).toBeGreaterThan(0)
    expect(drawn).toBeLessThan(300)
  })
})

/** Returns a JPEG that is damaged right after the beginning, or right before the end marker, which has two bytes. */
function within(jpeg: Uint8Array, inserted: readonly number[], at = jpeg.length - 2): Uint8Array {
  return new Uint8Array([...jpeg.subarray(0, at), ...inserted, ...jpeg.subarray(at)])
}

/** Returns the same JPEG with this size in its header. */
function sized(jpeg: Uint8Array, edge: number): Uint8Array {
  const copy = Buffer.from(jpeg)
  const frame = Math.max(copy.indexOf('\xff\xc0', 0, 'latin1'), copy.indexOf('\xff\xc2', 0, 'latin1'))
  copy.writeUInt16BE(edge, frame + 5)
  copy.writeUInt16BE(edge, frame + 7)
  return new Uint8Array(copy)
}
