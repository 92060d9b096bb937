import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import { ISOLATE } from '../core/budgets.ts'
import { BrokenImageError, NotHereError, type Pixels, type StoredSize } from './picture.ts'

const PAGE_BYTES = 65_536

/**
 * Decodes a file by a decoder started for it: one that failed is in an unknown state, and its memory never shrinks. Its memory is capped:
 * the need of a picture does not always show in its header, since a lossless WebP may have thousands of tables.
 * @throws BrokenImageError, also for a format that the decoder does not know; NotHereError when it wants more memory
 */
export async function decodeByEmscripten<Decoder extends object>(
  make: (options?: object) => Promise<Decoder>,
  code: WebAssembly.Module,
  size: StoredSize,
  decode: (decoder: Decoder) => ImageData | null,
): Promise<Pixels> {
  // The pixels are copied out of the decoder's memory.
  const maxBytes = ISOLATE.picture - size.width * size.height * 4
  let isFull = false
  const limitGrowth = (memory: WebAssembly.Memory) => {
    const grow = memory.grow.bind(memory)
    memory.grow = (pages) => {
      isFull = memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes
      if (isFull) throw new RangeError('No more memory')
      return grow(pages)
    }
  }
  const decoder = await initEmscriptenModule<Decoder>(make, code, {
    // Errors about a broken picture are not printed.
    printErr: () => {},
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(code, imports)
      for (const part of Object.values(instance.exports)) {
        if (part instanceof WebAssembly.Memory) limitGrowth(part)
      }
      done(instance)
      return instance.exports
    },
  })
  let cause: unknown
  try {
    const pixels = decode(decoder)
    if (pixels) return pixels as Pixels
  } catch (error) {
    cause = error
  }
  if (isFull) throw new NotHereError('The picture takes too much memory', { cause })
  throw new BrokenImageError('The decoder broke off, or knows no such form', { cause })
}
