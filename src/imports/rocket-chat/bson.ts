/**
 * Reads BSON as `mongodump` writes it: one document after another, each beginning with its length. Each is parsed separately. MongoDB's own library
 * has twenty times the size, and does not limit the levels.
 */
import type { Bytes } from '../import-reader.ts'

/** Bytes of a document: MongoDB's limit, with some for what it adds itself. */
const MAX_DOCUMENT = 16 * 1024 * 1024 + 16_384
/** Levels of lists and objects in a document. */
const MAX_LEVELS = 60
const BLOCK_BYTES = 512 * 1024
/** The length of a document, and the zero at its end. */
const MIN_DOCUMENT = 5

export interface BsonDocument {
  /** Position of its end in the file. */
  readonly end: number
  readonly value?: unknown
  /** The reason why it has no value. */
  readonly fault?: string
}

/** Yields the documents that begin in a part of a file. After an impossible length the rest of the file cannot be read. */
export async function* documentsOf(file: Bytes, from: number, to: number): AsyncGenerator<BsonDocument> {
  let [block, start] = [new Uint8Array() as Uint8Array, from]
  for (let at = from; at < Math.min(to, file.size); ) {
    if (at + 4 > start + block.length) [block, start] = [await file.read(at, at + BLOCK_BYTES), at]
    const length = at + 4 > start + block.length ? 0 : viewOf(block).getInt32(at - start, true)
    if (length < MIN_DOCUMENT || length > MAX_DOCUMENT || at + length > file.size) {
      yield { end: file.size, fault: 'is damaged from here, or ends too early' }
      return
    }
    if (at + length > start + block.length)
      [block, start] = [await file.read(at, at + Math.max(length, BLOCK_BYTES)), at]
    yield { end: at + length, ...parsed(block.subarray(at - start, at - start + length)) }
    at += length
  }
}

function parsed(bytes: Uint8Array): { value: unknown } | { fault: string } {
  try {
    return { value: new Parser(bytes).document(0, bytes.length, 1) }
  } catch (error) {
    if (error instanceof UnreadableError) return { fault: error.message }
    // A view refuses a position outside of it.
    if (error instanceof RangeError) return { fault: 'is no BSON' }
    throw error
  }
}

class UnreadableError extends Error {}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Makes values of JSON, and bytes. Dates become milliseconds, and ids hexadecimal. */
class Parser {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly texts = new TextDecoder()
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }

  document(from: number, limit: number, level: number, isList = false): unknown {
    if (level > MAX_LEVELS) throw new UnreadableError(`has more than ${MAX_LEVELS} levels`)
    const end = from + this.view.getInt32(from, true)
    if (end < from + MIN_DOCUMENT || end > limit || this.bytes[end - 1] !== 0)
      throw new UnreadableError('is no BSON')
    this.at = from + 4
    const fields: [string, unknown][] = []
    while (this.at < end - 1) {
      const type = this.bytes[this.at]!
      this.at += 1
      const name = this.name(end)
      fields.push([name, this.value(type, end, level)])
    }
    this.at = end
    // `__proto__` becomes an own field.
    return isList ? fields.map(([, value]) => value) : Object.fromEntries(fields)
  }

  private value(type: number, end: number, level: number): unknown {
    const { view } = this
    switch (type) {
      case 0x01:
        return view.getFloat64(this.after(8), true)
      case 0x02:
      case 0x0d:
      case 0x0e:
        return this.text(end)
      case 0x03:
        return this.document(this.at, end, level + 1)
      case 0x04:
        return this.document(this.at, end, level + 1, true)
      case 0x05: {
        const length = view.getInt32(this.after(4), true)
        const from = this.after(this.sizeUpTo(end, length + 1)) + 1
        return this.bytes.subarray(from, from + length)
      }
      case 0x07:
        return hexOf(this.bytes.subarray(this.after(12), this.at))
      case 0x08:
        return view.getUint8(this.after(1)) === 1
      case 0x09:
      case 0x12:
        return Number(view.getBigInt64(this.after(8), true))
      case 0x10:
        return view.getInt32(this.after(4), true)
      case 0x06:
      case 0x0a:
      case 0x7f:
      case 0xff:
        return null
      case 0x0b:
        this.name(end)
        this.name(end)
        return null
      case 0x0f:
        this.after(this.sizeUpTo(end, view.getInt32(this.at, true)))
        return null
      case 0x11:
        this.after(8)
        return null
      case 0x13:
        this.after(16)
        return null
      default:
        throw new UnreadableError(`has a value of the unknown type ${type}`)
    }
  }

  /** Skips bytes. Returns their position. */
  private after(length: number): number {
    const from = this.at
    this.at += length
    return from
  }

  private sizeUpTo(end: number, size: number): number {
    if (size < 1 || this.at + size > end) throw new UnreadableError('is no BSON')
    return size
  }

  /** Reads up to a zero. */
  private name(end: number): string {
    const zero = this.bytes.indexOf(0, this.at)
    if (zero < 0 || zero >= end) throw new UnreadableError('is no BSON')
    const name = this.texts.decode(this.bytes.subarray(this.at, zero))
    this.at = zero + 1
    return name
  }

  private text(end: number): string {
    const length = this.view.getInt32(this.after(4), true)
    const from = this.after(this.sizeUpTo(end, length))
    return this.texts.decode(this.bytes.subarray(from, from + length - 1))
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
