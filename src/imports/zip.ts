/**
 * Reads ZIP archives in place, by ranges. The directory at the end says where each entry is. It is read in blocks, since it may have hundreds of
 * thousands of entries. What an archive claims is checked before it is believed.
 */
import { crc32 } from 'node:zlib'
import { decodedText } from './encodings.ts'
import { type Bytes, blocksOf, ImportRefusedError, rangeOf } from './import-reader.ts'
import { DamagedDataError, inflated, refuseBomb } from './inflate.ts'
import { LISTED_AT_ONCE, MAX_FILES } from './survey.ts'

const [END, END_64, LOCATOR_64, ENTRY, LOCAL] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
] as const
/** Bytes of each of these without its fields of variable length. */
const [END_SIZE, END_64_SIZE, LOCATOR_SIZE, ENTRY_SIZE, LOCAL_SIZE] = [22, 56, 20, 46, 30] as const
/** Bytes of a comment, a name or an extra field. */
const MAX_FIELD = 65_535
const BLOCK_BYTES = 512 * 1024
/** Bytes that a record of the directory rarely exceeds. So few are read ahead with those of the entries next to it. */
const USUAL_RECORD = 4 * 1024
/** An entry that unpacks to more than this, and to more than this many times its size, was not written by people. */
const [SUSPICIOUS_SIZE, SUSPICIOUS_RATIO] = [64 * 1024 * 1024, 200] as const
/** Bytes of the directory: names of ordinary length for all entries. */
const MAX_DIRECTORY_BYTES = 128 * 1024 * 1024
const [STORED, DEFLATED] = [0, 8] as const
const [ENCRYPTED, SYMBOLIC_LINK, FILE_TYPE] = [1, 0o120000, 0o170000] as const
/** UTF-16 units of a name, which is part of a path. */
const MAX_NAME = 900
const FULL_16 = 0xffff
const FULL_32 = 0xffff_ffff

export interface ZipEntry {
  /** Decoded as UTF-8, whatever the archive says: Slack's archives do not flag their UTF-8 names. What is no UTF-8 is Latin-1. */
  readonly name: string
  readonly isLatin1: boolean
  /** Position of its record in the directory, by which it is found again. */
  readonly from: number
  readonly size: number
  /** The path for a `file` record: with that position, so that nothing has to search for it. */
  readonly path: string
  readonly packedSize: number
  /** Position of its local header. */
  readonly headerAt: number
  readonly method: number
  /** CRC-32 of the unpacked bytes. */
  readonly checksum: number
  readonly isEncrypted: boolean
  /** Why it is not read, in words; undefined for an ordinary file or folder. */
  readonly fault: string | undefined
}

/** Where listing a directory continues, and what was counted before. */
export type DirectoryPosition = {
  readonly at: number
  /** The directory's end. */
  readonly to: number
  readonly entries: number
  readonly packed: number
  readonly unpacked: number
}

interface ListedEntry extends ZipEntry {
  readonly end: DirectoryPosition
}

/** Thrown for a fault of one entry; the others can be read. */
export class ZipEntryError extends Error {}

/** Whether the file begins like a ZIP archive. */
export async function isZip(archive: Bytes): Promise<boolean> {
  const start = await archive.read(0, 4)
  return start.length === 4 && viewOf(start).getUint32(0, true) === LOCAL
}

/** Reads the directory, or what follows a position in it. @throws ImportRefusedError when it is no ZIP archive, or one that cannot be read */
export async function* entriesOf(
  archive: Bytes,
  begin?: DirectoryPosition | null,
): AsyncGenerator<ListedEntry> {
  let end = begin ?? (await findDirectory(archive))
  const { to } = end
  let block: Uint8Array = new Uint8Array()
  let start = end.at
  while (end.at + ENTRY_SIZE <= to) {
    const { at } = end
    if (end.entries > MAX_FILES) throw damaged('its directory is longer than it says')
    if (at + ENTRY_SIZE + 3 * MAX_FIELD > start + block.length && start + block.length < to) {
      block = await archive.read(at, Math.min(at + BLOCK_BYTES, to))
      start = at
    }
    const found = entryIn(block.subarray(at - start), at)
    if (!found) throw damaged('its directory cannot be read')
    const { entry, length } = found
    end = {
      at: at + length,
      to,
      entries: end.entries + 1,
      packed: end.packed + entry.packedSize,
      unpacked: end.unpacked + (entry.fault ? 0 : entry.size),
    }
    // Overlapping entries unpack to far more than an archive can have.
    if (end.packed > archive.size) throw damaged('its files overlap')
    refuseBomb(end.unpacked, archive.size)
    yield { ...entry, end }
  }
}

/** Yields the entries among which a format looks for what it knows. */
export async function* firstEntriesOf(archive: Bytes): AsyncGenerator<ListedEntry> {
  for await (const entry of entriesOf(archive)) {
    yield entry
    if (entry.end.entries === LISTED_AT_ONCE) return
  }
}

/** Reads the record of an entry again. */
export async function entryAt(archive: Bytes, at: number): Promise<ZipEntry> {
  const recordIn = async (bytes: number) => entryIn(await archive.read(at, at + bytes), at)
  const found = (await recordIn(USUAL_RECORD)) ?? (await recordIn(ENTRY_SIZE + 3 * MAX_FIELD))
  if (!found) throw new ZipEntryError('its record cannot be read')
  return found.entry
}

/** Unpacks an entry. @throws ZipEntryError when it cannot be unpacked, or has another size than the archive says */
export async function* contentOf(archive: Bytes, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const packed = blocksOf(await packedBytesOf(archive, entry))
  const blocks = entry.method === STORED ? packed : inflated(packed, 'raw')
  let size = 0
  let checksum = 0
  try {
    for await (const block of blocks) {
      size += block.length
      if (size > entry.size) throw new ZipEntryError('is larger than the archive says')
      checksum = crc32(block, checksum)
      yield block
    }
  } catch (error) {
    throw error instanceof DamagedDataError ? new ZipEntryError('is damaged') : error
  }
  if (size < entry.size) throw new ZipEntryError('is shorter than the archive says')
  if (checksum !== entry.checksum) throw new ZipEntryError('is damaged: its checksum is another one')
}

interface ZipBytes extends Bytes {
  /** Unpacks the rest. @throws ZipEntryError when the entry is not what the archive says */
  end(): Promise<void>
}

/** Returns an entry as bytes. Reading it from start to end unpacks it once; a step back unpacks it again. */
export async function bytesOf(archive: Bytes, entry: ZipEntry): Promise<ZipBytes> {
  const packed = await packedBytesOf(archive, entry)
  if (entry.method === STORED) return { ...packed, end: () => drain(contentOf(archive, entry)) }
  let blocks = contentOf(archive, entry)
  let at = 0
  let rest: Uint8Array = new Uint8Array()
  return {
    size: entry.size,
    async read(from, to) {
      if (from < at) {
        blocks = contentOf(archive, entry)
        at = 0
        rest = new Uint8Array()
      }
      const wanted = new Uint8Array(Math.max(0, Math.min(to, entry.size) - from))
      let filled = 0
      while (filled < wanted.length) {
        if (rest.length === 0) {
          const next = await blocks.next()
          if (next.done) break
          rest = next.value
        }
        const skipped = Math.min(Math.max(from - at, 0), rest.length)
        const taken = rest.subarray(skipped, skipped + wanted.length - filled)
        wanted.set(taken, filled)
        filled += taken.length
        at += skipped + taken.length
        rest = rest.subarray(skipped + taken.length)
      }
      return wanted.subarray(0, filled)
    },
    end: () => drain(blocks),
  }
}

async function drain(blocks: AsyncIterator<Uint8Array>): Promise<void> {
  while (!(await blocks.next()).done);
}

async function findDirectory(archive: Bytes): Promise<DirectoryPosition> {
  const from = Math.max(0, archive.size - END_SIZE - MAX_FIELD)
  const tail = await archive.read(from, archive.size)
  const view = viewOf(tail)
  let end = tail.length - END_SIZE
  while (
    end >= 0 &&
    !(view.getUint32(end, true) === END && view.getUint16(end + 20, true) <= tail.length - end - END_SIZE)
  ) {
    end -= 1
  }
  if (end < 0) {
    throw new ImportRefusedError(
      'This is no complete ZIP archive: its end is missing. Load the export again.',
    )
  }
  const isLarge = view.getUint16(end + 10, true) === FULL_16 || view.getUint32(end + 16, true) === FULL_32
  const large = isLarge ? await findLargeDirectory(archive, from + end) : undefined
  const [count, size, start] = large ?? [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ]
  if (view.getUint16(end + 4, true) !== 0 && view.getUint16(end + 4, true) !== FULL_16) {
    throw new ImportRefusedError('This is one of several parts of a ZIP archive. Join them first.')
  }
  if (start + size > archive.size) throw damaged('its directory is outside of it')
  if (size > MAX_DIRECTORY_BYTES) {
    throw new ImportRefusedError(
      `The directory of the ZIP archive has more than ${MAX_DIRECTORY_BYTES} bytes. Divide the export by time.`,
    )
  }
  if (count > MAX_FILES) {
    throw new ImportRefusedError(
      `The ZIP archive has more than ${MAX_FILES} files. Divide the export by time.`,
    )
  }
  return { at: start, to: start + size, entries: 0, packed: 0, unpacked: 0 }
}

async function findLargeDirectory(
  archive: Bytes,
  end: number,
): Promise<readonly [count: number, size: number, start: number] | undefined> {
  const locator = await archive.read(Math.max(0, end - LOCATOR_SIZE), end)
  if (locator.length < LOCATOR_SIZE || viewOf(locator).getUint32(0, true) !== LOCATOR_64) return undefined
  const at = numberAt(viewOf(locator), 8)
  const record = await archive.read(at, at + END_64_SIZE)
  if (record.length < END_64_SIZE || viewOf(record).getUint32(0, true) !== END_64) {
    throw damaged('its directory cannot be found')
  }
  const view = viewOf(record)
  return [numberAt(view, 32), numberAt(view, 40), numberAt(view, 48)]
}

/** Reads a record of the directory; undefined where there is none. */
function entryIn(bytes: Uint8Array, from: number): { entry: ZipEntry; length: number } | undefined {
  if (bytes.length < ENTRY_SIZE) return undefined
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== ENTRY) return undefined
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
    view.getUint16(field, true),
  ) as [number, number, number]
  const length = ENTRY_SIZE + nameLength + extraLength + commentLength
  if (bytes.length < length) return undefined
  const decoded = decodedText(bytes.subarray(ENTRY_SIZE, ENTRY_SIZE + nameLength))
  const name = decoded.text.replaceAll('\\', '/')
  const extra = bytes.subarray(ENTRY_SIZE + nameLength, ENTRY_SIZE + nameLength + extraLength)
  const [size, packedSize, headerAt] = withLargeNumbers(
    [24, 20, 42].map((field) => view.getUint32(field, true)) as [number, number, number],
    extra,
  )
  const method = view.getUint16(10, true)
  const isEncrypted = (view.getUint16(8, true) & ENCRYPTED) !== 0
  const isLink = ((view.getUint32(38, true) >>> 16) & FILE_TYPE) === SYMBOLIC_LINK
  const checksum = view.getUint32(16, true)
  const path = `${name}@${from}`
  const { isLatin1 } = decoded
  const entry = { name, isLatin1, from, size, path, packedSize, headerAt, method, checksum, isEncrypted }
  return { entry: { ...entry, fault: faultOf(entry, isLink) }, length }
}

/** Replaces numbers that do not fit into their fields by those of the extra field, which lists them in this order. */
function withLargeNumbers(
  numbers: [number, number, number],
  extra: Uint8Array,
): readonly [number, number, number] {
  const view = viewOf(extra)
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let field = at + 4
    return numbers.map((number) => {
      if (number !== FULL_32 || field + 8 > extra.length) return number
      field += 8
      return numberAt(view, field - 8)
    }) as [number, number, number]
  }
  return numbers
}

function faultOf(
  { name, method, isEncrypted, size, packedSize }: Omit<ZipEntry, 'fault'>,
  isLink: boolean,
): string | undefined {
  if (isEncrypted) return 'is encrypted'
  if (isLink) return 'is a link to another file'
  if (/^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)|\0/.test(name))
    return 'has a name that leads out of the archive'
  if (name.length > MAX_NAME) return 'has too long a name'
  if (method !== STORED && method !== DEFLATED) return `is packed in a way (${method}) that is not read`
  if (method === STORED && size !== packedSize) return 'has a size that is not its own'
  if (size > SUSPICIOUS_SIZE && size > packedSize * SUSPICIOUS_RATIO) return 'unpacks to too much'
  return undefined
}

async function packedBytesOf(archive: Bytes, entry: ZipEntry): Promise<Bytes> {
  if (entry.fault) throw new ZipEntryError(entry.fault)
  const header = await archive.read(entry.headerAt, entry.headerAt + LOCAL_SIZE)
  const view = viewOf(header)
  if (header.length < LOCAL_SIZE || view.getUint32(0, true) !== LOCAL) {
    throw new ZipEntryError('is not where the archive says')
  }
  const from = entry.headerAt + LOCAL_SIZE + view.getUint16(26, true) + view.getUint16(28, true)
  if (from + entry.packedSize > archive.size) throw new ZipEntryError('is cut off')
  return rangeOf(archive, from, entry.packedSize)
}

function damaged(what: string): ImportRefusedError {
  return new ImportRefusedError(`This ZIP archive is damaged: ${what}. Load the export again.`)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Reads a number of 64 bits. An impossible one is found out by its use. */
function numberAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

/** Finds a file by such a path; undefined if the archive does not have it. */
export async function fileAt(archive: Bytes, path: string): Promise<Bytes | undefined> {
  const found = /^(.*)@(\d{1,16})$/s.exec(path)
  if (!found) return undefined
  try {
    const entry = await entryAt(archive, Number(found[2]))
    return entry.name === found[1] ? await bytesOf(archive, entry) : undefined
  } catch (error) {
    if (error instanceof ZipEntryError) return undefined
    throw error
  }
}

/** @throws ImportRefusedError for an entry that has a password */
export function refuseEncrypted({ isEncrypted }: ZipEntry): void {
  if (!isEncrypted) return
  throw new ImportRefusedError(
    'This ZIP archive is encrypted. Unpack it, and pack it again without a password.',
  )
}
