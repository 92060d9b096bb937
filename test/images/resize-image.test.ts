import { expect, it } from 'vitest'
import { encodePng } from '../../src/images/encode-png.ts'
import { readImageFacts } from '../../src/images/read-image-facts.ts'
import { fitInside } from '../../src/images/resize-image.ts'

it('smoke', async () => {
  const out = await fitInside(encodePng({ width: 30, height: 20, data: new Uint8ClampedArray(2400).fill(99) }), { maxWidth: 10, maxHeight: 10 })
  expect(readImageFacts(out!)).toEqual({ type: 'webp', width: 10, height: 7, orientation: 1, isAnimated: false })
})
