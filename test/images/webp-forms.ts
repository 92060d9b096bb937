import makeEncoder, { type WebPModule } from '@jsquash/webp/codec/enc/webp_enc.js'
import encoderCode from '@jsquash/webp/codec/enc/webp_enc.wasm'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'

export interface Size {
  readonly width: number
  readonly height: number
}

/** What is known of a picture of more pixels than are decoded in one turn. */
export const FACTS = { width: 1_200, height: 900, isAnimated: false }

/** Colours that run across the picture, with stripes of some noise. */
function picture({ width, height }: Size): Uint8ClampedArray<ArrayBuffer> {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0, pixel = 0; at < data.length; at += 4, pixel += 1) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    data.set([x / 5, y / 4, (x * y) % 97, (x + y) % 50 === 0 ? 100 : 255], at)
  }
  return data
}

export async function webpOf(size: Size, options: { lossless: 0 | 1; quality: number }): Promise<Uint8Array> {
  const encoder = await initEmscriptenModule<WebPModule>(makeEncoder, encoderCode)
  const all = { ...defaultOptions, ...options, method: 0 }
  return encoder.encode(picture(size), size.width, size.height, all)!.slice()
}
