import { describe, expect, it } from 'vitest'
import { decodeGif } from '../../src/images/lzw-codes.ts'
import { BrokenImageError, NotHereError } from '../../src/images/picture.ts'
import { type GifFrameForm, gifOf } from './gif-forms.ts'

const FORGET = 4
const END = 5

async function drawn(width: number, height: number, frame: GifFrameForm): Promise<number[][]> {
  const canvas = { width, height, isAnimated: false }
  const picture = await decodeGif(gifOf({ width, height, frames: [frame] }), canvas)
  return Array.from({ length: picture.height }, (_, y) => [
    ...picture.data.subarray(y * picture.width * 4, (y + 1) * picture.width * 4),
  ])
}

describe('a decoded GIF', () => {
  it('has colours in the frame, and none around it', async () => {
    const [none, red, green] = [
      [0, 0, 0, 0],
      [255, 0, 0, 255],
      [0, 255, 0, 255],
    ]
    const frame = { left: 1, top: 1, width: 2, height: 2, codes: [FORGET, 1, 2, 2, 1, END] }
    expect(await drawn(4, 4, frame)).toEqual([
      [none, none, none, none].flat(),
      [none, red, green, none].flat(),
      [none, green, red, none].flat(),
      [none, none, none, none].flat(),
    ])
  })

  it('grows with a frame that lies outside', async () => {
    const frame = { left: 3, top: 2, width: 1, height: 1, codes: [FORGET, 1, END] }
    const rows = await drawn(1, 1, frame)
    expect([rows.length, rows[0]!.length / 4, rows[2]!.slice(-4)]).toEqual([3, 4, [255, 0, 0, 255]])
  })

  it('may forget its codes at any time, but not for ever', async () => {
    const some = [FORGET, FORGET, 1, FORGET, 2, FORGET, 3, END]
    expect(
      (await drawn(3, 1, { width: 3, height: 1, codes: some }))[0]!.filter((value) => value === 255),
    ).toHaveLength(6)
    const endless = [...new Array(10_000).fill(FORGET), 1, END]
    await expect(drawn(1, 1, { width: 1, height: 1, codes: endless })).rejects.toThrow(BrokenImageError)
  })

  it('of more than 2.1 megapixels is refused, canvas or frame', async () => {
    const sized = async (width: number, height: number, left = 0, top = 0) => {
      const frame = { left, top, width: 1, height: 1, codes: [FORGET, 1, END] }
      return decodeGif(gifOf({ width, height, frames: [frame] }), { width, height, isAnimated: false })
    }
    expect((await sized(2_100, 1_000)).height).toBe(1_000)
    await expect(sized(2_101, 1_000)).rejects.toThrow(NotHereError)
    await expect(sized(1, 1, 2_100, 999)).rejects.toThrow(NotHereError)
  })
})
