import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageTypeOf, stillGif } from '../../src/domain/images/image-type.ts'

const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))

const GIF = latin('GIF89a\x01\x00\x01\x00\x00\x00\x00')
const FRAME = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
const COMMENT = [0x21, 0xfe, 2, 0x2c, 0x2c, 0]

function gif(...blocks: number[][]): Uint8Array {
  return new Uint8Array([...GIF, ...blocks.flat(), 0x3b])
}

describe('what an image is', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR', 'png'],
    ['\xff\xd8\xff\xe0', 'jpg'],
    ['RIFF\x00\x00\x00\x00WEBPVP8 ', 'webp'],
  ])('is told by its first bytes: %j', (bytes, ending) => {
    expect(imageTypeOf(latin(bytes))).toEqual({ ending, isAnimated: false })
  })

  it.each(['', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'GIF89a', '\x89PNG\r\n\x1a\n', 'BM'])(
    'is nothing for %j',
    (bytes) => expect(imageTypeOf(latin(bytes))).toBeUndefined(),
  )

  it('a GIF moves when it has a second frame', () => {
    expect(imageTypeOf(gif(FRAME))).toEqual({ ending: 'gif', isAnimated: false })
    expect(imageTypeOf(gif(COMMENT, FRAME, COMMENT))).toEqual({ ending: 'gif', isAnimated: false })
    expect(imageTypeOf(gif(COMMENT, FRAME, COMMENT, FRAME))).toEqual({ ending: 'gif', isAnimated: true })
  })

  it('a GIF that moves is stopped after its first frame', () => {
    expect(stillGif(gif(COMMENT, FRAME, COMMENT, FRAME))).toEqual(gif(COMMENT, FRAME))
    expect(imageTypeOf(stillGif(gif(FRAME, FRAME, FRAME)))).toEqual({ ending: 'gif', isAnimated: false })
  })

  it('never goes on for ever over what only begins like a GIF', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (rest) => {
        const bytes = new Uint8Array([...GIF, ...rest])
        const type = imageTypeOf(bytes)
        if (type?.isAnimated) expect(imageTypeOf(stillGif(bytes))?.isAnimated).toBe(false)
      }),
    )
  })
})
