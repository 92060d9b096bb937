import makeDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import { initEmscriptenModule } from '@jsquash/webp/utils.js'
import type { Pixels } from './picture.ts'
import { Turns } from './turns.ts'

/** The functions that the decoder imports: for copying longer parts of its memory, and for having more of it. */
const COPY = 'q'
const GROW = 'p'
/** The decoder takes so much more than it has, or more. */
const GROWTH = 1.2
/** Limit of the pixels that are decoded between copies, for each byte that is copied: of 16 rows at least one is. */
const PIXELS_OF_A_BYTE = 4
/** The decoder's number for `undefined`. */
const UNDEFINED = 1

type Copy = (to: number, from: number, length: number) => void
type Work = (...pointers: number[]) => number
/** Returns whether there is memory for this number of bytes in all. */
type Grow = (bytes: number) => boolean

/**
 * Decodes a WebP in turns; null for a form that the decoder does not know, or when it would take more than `maxBytes` of memory.
 * Rejects with the decoder's own errors.
 *
 * The library's only function decodes the whole picture. But after every 16 rows it calls a function of JavaScript, which copies memory
 * for it; and WebAssembly can wait for a function of JavaScript that returns a promise.
 */
export async function decodeInTurns(
  bytes: Uint8Array,
  code: WebAssembly.Module,
  maxBytes: number,
): Promise<Pixels | null> {
  const turns = new Turns()
  let running: Promise<number> | undefined
  let result: number | undefined
  const startOrEnd =
    (work: Work) =>
    (...pointers: number[]) => {
      if (result !== undefined) return result
      running = WebAssembly.promising(work)(...pointers)
      return UNDEFINED
    }
  const decoder = await initEmscriptenModule(makeDecoder, code, {
    // Errors about a broken picture are not printed.
    printErr: () => {},
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Module) => void) {
      const copy = imports.a![COPY] as Copy
      imports.a![COPY] = new WebAssembly.Suspending((to: number, from: number, length: number) => {
        copy(to, from, length)
        return turns.after(length * PIXELS_OF_A_BYTE)
      })
      // What a picture takes is not always seen in its header: a lossless one may have thousands of tables.
      const grow = imports.a![GROW] as Grow
      imports.a![GROW] = (size: number) =>
        Math.max(size, GROWTH * memory.buffer.byteLength) <= maxBytes && grow(size)
      const { exports } = new WebAssembly.Instance(code, imports)
      const memory = exportOf(exports, WebAssembly.Memory)[1]
      const [name, table] = exportOf(exports, WebAssembly.Table)
      const functions = { get: (at: number) => startOrEnd(table.get(at)) }
      done({ exports: { ...exports, [name]: functions } })
      return exports
    },
  })
  decoder.decode(bytes)
  result = await running
  // What the first call returned was no picture yet. The second does no work, and returns it.
  return decoder.decode(new Uint8Array(0))
}

function exportOf<Kind extends WebAssembly.Table | WebAssembly.Memory>(
  exports: WebAssembly.Exports,
  kind: abstract new (...args: never[]) => Kind,
): [name: string, value: Kind] {
  for (const [name, value] of Object.entries(exports)) {
    if (value instanceof kind) return [name, value]
  }
  throw new Error('The decoder lacks an export')
}
