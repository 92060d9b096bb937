import code from '@cwasm/nsgif/nsgif.wasm'
import { exportsOf } from './exports-of.ts'
import { gifFrames } from './gif-header.ts'
import { IdleCodec } from './idle-codec.ts'
import { BrokenImageError, type Decode, orBroken, requireMemory } from './picture.ts'

// The decoder is started here, since the library's own way starts it once and for ever, from a file.

interface Decoder {
  readonly memory: WebAssembly.Memory
  malloc(length: number): number
  free(at: number): void
  /** Decodes; zero means success. The first three parameters are addresses for the results. */
  decode_gif(pixelsAt: number, widthAt: number, heightAt: number, at: number, length: number): number
}

const TRAILER = 0x3b

const idle = new IdleCodec(startDecoder)

/** Decodes the first frame of a GIF, on a canvas that is transparent where the frame does not reach. */
export const decodeGif: Decode = (bytes, facts) => {
  const { value: frame } = gifFrames(bytes).next()
  if (!frame || frame.width === 0 || frame.height === 0) throw new BrokenImageError('No frame')
  // The canvas grows with a frame that lies outside.
  const width = Math.max(facts.width, frame.left + frame.width)
  const height = Math.max(facts.height, frame.top + frame.height)
  requireMemory(frame.end + width * height * 4.2)
  const decoder = idle.take()
  return orBroken(() => {
    const answerAt = decoder.malloc(12)
    const length = frame.end + 1
    const at = decoder.malloc(length)
    const input = new Uint8Array(decoder.memory.buffer, at, length)
    input.set(bytes.subarray(0, frame.end))
    input[frame.end] = TRAILER
    const failure = decoder.decode_gif(answerAt, answerAt + 4, answerAt + 8, at, length)
    if (failure !== 0) throw new Error(`No such form of GIF (${failure})`)
    const answer = new DataView(decoder.memory.buffer, answerAt, 12)
    const [pixelsAt, width, height] = [
      answer.getUint32(0, true),
      answer.getUint32(4, true),
      answer.getUint32(8, true),
    ]
    return {
      width,
      height,
      data: new Uint8ClampedArray(decoder.memory.buffer, pixelsAt, width * height * 4),
      release() {
        for (const address of [pixelsAt, at, answerAt]) decoder.free(address)
        idle.giveBack(decoder)
      },
    }
  })
}

function startDecoder(): Decoder {
  const fail = () => {
    throw new Error('There are no files')
  }
  const files = { fd_close: fail, fd_seek: fail, fd_write: fail }
  const instance = new WebAssembly.Instance(code, { wasi_snapshot_preview1: files })
  return exportsOf<Decoder>(instance, { memory: true, malloc: true, free: true, decode_gif: true })
}
