import { describe, expect, it } from 'vitest'
import { fitInside } from '../../src/images/resize-image.ts'
import { gifOf } from './gif-forms.ts'
import { turnsDuring } from './served-meanwhile.ts'

const FORGET = 4
const END = 5

describe('a GIF in rows', () => {
  it.each([false, true])('is drawn while others are served, interlaced: %s', async (isInterlaced) => {
    const [width, height] = [2_000, 1_000]
    // Colours of one row each, forgotten after it.
    const row = [FORGET, ...Array.from({ length: 100 }, (_, index) => index % 4)]
    const codes = [...new Array((width * height) / 100).fill(row).flat(), END]
    const gif = gifOf({ width, height, frames: [{ width, height, isInterlaced, codes }] })
    expect(await turnsDuring(() => fitInside(gif, { maxWidth: 84, maxHeight: 56 }))).toBeGreaterThan(3)
  })
})
