import code from '@jsquash/png/codec/pkg/squoosh_png_bg.wasm'
import {
  type Decoded,
  orBroken,
  type Pixels,
  requireMemory,
  requireSmallEnough,
  type StoredSize,
} from './picture.ts'
import { pngChunks } from './png-header.ts'

// We start the codec ourselves, since the library's loader does it only once, for good, and needs `ImageData`.

interface Codec {
  readonly memory: WebAssembly.Memory
  __wbindgen_malloc(length: number, alignment: number): number
  __wbindgen_free(at: number, length: number, alignment: number): void
  __wbindgen_add_to_stack_pointer(bytes: number): number
  /** Calls `makeImageData`. */
  decode(at: number, length: number): number
  encode(answerAt: number, at: number, length: number, width: number, height: number, depth: number): void
}

const COLOR_AT = 25
const RGB_WITH_ALPHA = 6

/** Types of the chunks that make up a picture. */
const OF_PICTURE = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
const [SIGNATURE_BYTES, HEAD_BYTES, CHECKSUM_BYTES] = [8, 8, 4]

/** Limit of the memory kept by an idle codec, since it never shrinks. */
const MAX_IDLE_BYTES = 24_000_000

/** The codec for the next picture. A codec in use is not here, so one that failed is never reused. */
let idle: Codec | undefined

/** The last decoded picture, still in the codec's memory. */
let decoded: { readonly at: number; readonly length: number; readonly size: StoredSize } | undefined

/** Decodes any PNG; of an animation, the still picture. Checksums are ignored. */
export function decodePng(bytes: Uint8Array, { width, height }: StoredSize): Decoded {
  requireSmallEnough({ width, height })
  const parts = partsOfPicture(bytes)
  const fileLength = lengthOf(parts)
  // As measured: RGBA is in memory once; other formats, which are converted, twice.
  const pixelBytes = bytes[COLOR_AT] === RGB_WITH_ALPHA ? 4.2 : 9.2
  requireMemory(fileLength + width * height * pixelBytes)
  const codec = takeCodec()
  orBroken(() => codec.decode(put(parts, codec), fileLength))
  const { at, length, size } = decoded!
  return {
    ...size,
    data: new Uint8ClampedArray(codec.memory.buffer, at, length),
    release() {
      codec.__wbindgen_free(at, length, 1)
      release(codec)
    },
  }
}

export function encodePng({ data, width, height }: Pixels): Uint8Array {
  const codec = takeCodec()
  const answerAt = codec.__wbindgen_add_to_stack_pointer(-16)
  codec.encode(answerAt, put([data], codec), data.length, width, height, 8)
  const answer = new DataView(codec.memory.buffer, answerAt, 8)
  const [at, length] = [answer.getUint32(0, true), answer.getUint32(4, true)]
  const png = new Uint8Array(codec.memory.buffer, at, length).slice()
  codec.__wbindgen_free(at, length, 1)
  codec.__wbindgen_add_to_stack_pointer(16)
  release(codec)
  return png
}

function takeCodec(): Codec {
  const codec = idle ?? startCodec()
  idle = undefined
  return codec
}

/** Keeps the codec, unless it has grown for a large picture. */
function release(codec: Codec): void {
  if (codec.memory.buffer.byteLength <= MAX_IDLE_BYTES) idle = codec
}

function startCodec(): Codec {
  const makeImageData = (at: number, length: number, width: number, height: number) => {
    decoded = { at, length, size: { width, height } }
    return 0
  }
  const fail = () => {
    throw new Error('The codec gave up')
  }
  // Names of imports end with a checksum. Only the one that throws is ever called.
  const imports = WebAssembly.Module.imports(code).map(({ name }) => [
    name,
    name.startsWith('__wbg_newwithownedu8clampedarray') ? makeImageData : fail,
  ])
  const { exports } = new WebAssembly.Instance(code, { wbg: Object.fromEntries(imports) })
  // The module does not declare the types of its exports.
  return exports as WebAssembly.Exports & Codec
}

/** The codec frees it. */
function put(
  parts: readonly (Uint8Array | Uint8ClampedArray)[],
  { memory, __wbindgen_malloc }: Codec,
): number {
  const length = lengthOf(parts)
  const at = __wbindgen_malloc(length, 1)
  const taken = new Uint8Array(memory.buffer, at, length)
  let end = 0
  for (const part of parts) {
    taken.set(part, end)
    end += part.length
  }
  return at
}

function lengthOf(parts: readonly { readonly length: number }[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the file reduced to the picture: the codec would decompress notes and profiles, however large. */
function partsOfPicture(bytes: Uint8Array): Uint8Array[] {
  const chunks = Array.from(pngChunks(bytes)).filter(({ type }) => OF_PICTURE.includes(type))
  return [
    bytes.subarray(0, SIGNATURE_BYTES),
    ...chunks.map(({ start, end }) => bytes.subarray(start - HEAD_BYTES, end + CHECKSUM_BYTES)),
  ]
}
