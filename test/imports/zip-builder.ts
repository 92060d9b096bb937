/** Writes ZIP archives as programs write them, and as they should not be. */
import { crc32, deflateRawSync } from 'node:zlib'
import type { ImportArchive } from '../../src/imports/import-reader.ts'

export interface ZipFile {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly isStored?: boolean
  /** What the directory says in place of the truth. */
  readonly claims?: {
    readonly size?: number
    readonly checksum?: number
    readonly packedSize?: number
    readonly method?: number
    readonly flags?: number
    readonly headerAt?: number
    /** The bytes of the name, in another encoding than UTF-8. */
    readonly encoding?: 'latin1'
    /** Mode of the file as UNIX has it. */
    readonly mode?: number
  }
}

interface ZipForm {
  /** Numbers of 64 bits, as in archives of more than 4 GB. */
  readonly isLarge?: boolean
  readonly comment?: string
  /** Entries that the end of the archive says it has. */
  readonly count?: number
}

const FULL = 0xffff_ffff

/** Returns an archive. Names are UTF-8 without the flag that says so, as in Slack's. */
export function zipOf(files: readonly ZipFile[], form: ZipForm = {}): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const add = (part: Buffer) => {
    parts.push(part)
    at += part.length
  }
  for (const { name, content = '', isStored, claims = {} } of files) {
    const bytes = Buffer.from(content)
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const encoded = Buffer.from(name, claims.encoding ?? 'utf8')
    const method = claims.method ?? (isStored ? 0 : 8)
    const headerAt = claims.headerAt ?? at
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(encoded.length, 26)
    add(local)
    add(encoded)
    add(packed)
    const [size, packedSize] = [claims.size ?? bytes.length, claims.packedSize ?? packed.length]
    const extra = form.isLarge ? Buffer.alloc(28) : Buffer.alloc(0)
    if (form.isLarge) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      extra.writeBigUInt64LE(BigInt(size), 4)
      extra.writeBigUInt64LE(BigInt(packedSize), 12)
      extra.writeBigUInt64LE(BigInt(headerAt), 20)
    }
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt16LE(claims.flags ?? 0, 8)
    record.writeUInt16LE(method, 10)
    record.writeUInt32LE(claims.checksum ?? crc32(bytes), 16)
    record.writeUInt32LE(form.isLarge ? FULL : packedSize, 20)
    record.writeUInt32LE(form.isLarge ? FULL : size, 24)
    record.writeUInt16LE(encoded.length, 28)
    record.writeUInt16LE(extra.length, 30)
    record.writeUInt32LE(((claims.mode ?? 0) << 16) >>> 0, 38)
    record.writeUInt32LE(form.isLarge ? FULL : headerAt, 42)
    directory.push(record, encoded, extra)
  }
  const start = at
  for (const part of directory) add(part)
  const size = at - start
  if (form.isLarge) {
    const end = at
    const large = Buffer.alloc(56)
    large.writeUInt32LE(0x06064b50, 0)
    large.writeBigUInt64LE(BigInt(form.count ?? files.length), 32)
    large.writeBigUInt64LE(BigInt(size), 40)
    large.writeBigUInt64LE(BigInt(start), 48)
    add(large)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(end), 8)
    add(locator)
  }
  const comment = Buffer.from(form.comment ?? '')
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(form.isLarge ? 0xffff : (form.count ?? files.length), 10)
  end.writeUInt32LE(form.isLarge ? FULL : size, 12)
  end.writeUInt32LE(form.isLarge ? FULL : start, 16)
  end.writeUInt16LE(comment.length, 20)
  add(end)
  add(comment)
  return new Uint8Array(Buffer.concat(parts))
}

/** Bytes as an archive; `reads` counts what has been read of it. */
export function archiveOf(bytes: Uint8Array, name = 'export.zip'): ImportArchive & { reads: number } {
  return {
    name,
    size: bytes.length,
    reads: 0,
    async read(from, to) {
      const read = bytes.slice(from, to)
      this.reads += read.length
      return read
    },
  }
}
