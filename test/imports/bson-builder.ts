/** Writes BSON as MongoDB does, and values as it should not be. */

/** A value as these bytes, of this type. */
export class RawValue {
  readonly type: number
  readonly bytes: Uint8Array

  constructor(type: number, bytes: Uint8Array) {
    this.type = type
    this.bytes = bytes
  }
}

/** Returns a document: dates, bytes and whole numbers have types of their own. */
export function bsonOf(value: object): Buffer {
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => {
      const [type, bytes] = fieldOf(field)
      return Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), bytes])
    })
  const content = Buffer.concat(fields)
  return Buffer.concat([int32(content.length + 5), content, Buffer.from([0])])
}

/** Returns a file of documents. */
export function bsonFileOf(documents: readonly (object | Uint8Array)[]): Buffer {
  return Buffer.concat(documents.map((one) => (one instanceof Uint8Array ? one : bsonOf(one))))
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(number)
  return bytes
}

function fieldOf(value: unknown): readonly [type: number, bytes: Uint8Array] {
  if (value instanceof RawValue) return [value.type, value.bytes]
  if (value instanceof Uint8Array)
    return [0x05, Buffer.concat([int32(value.length), Buffer.from([0]), value])]
  if (value instanceof Date) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(value.getTime()))
    return [0x09, bytes]
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(`${value}\0`)
    return [0x02, Buffer.concat([int32(bytes.length), bytes])]
  }
  if (typeof value === 'boolean') return [0x08, Buffer.from([value ? 1 : 0])]
  if (typeof value === 'number') return Number.isInteger(value) ? [0x10, int32(value)] : [0x01, double(value)]
  if (value === null) return [0x0a, Buffer.alloc(0)]
  return [Array.isArray(value) ? 0x04 : 0x03, bsonOf(value as object)]
}

function double(number: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(number)
  return bytes
}
