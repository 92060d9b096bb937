import { joinedBytes } from '../../core/growing-bytes.ts'

/** The archive format of exports, POSIX tar (pax): an entry is a header and the content, filled up to whole blocks of bytes. */
const BLOCK = 512
/** Length of names that fit into the header itself. */
const MAX_PLAIN_NAME_LENGTH = 100
/** Limit of a size: it has eleven octal digits. */
const MAX_PLAIN_SIZE = 8 ** 11 - 1
const REGULAR_FILE = '0'
const EXTENDED_HEADER = 'x'

interface TarEntry {
  /** The path, with `/` between folders. */
  readonly name: string
  readonly size: number
  /** UNIX seconds, integer. */
  readonly modifiedAt: number
}

export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK)

/** Returns the blocks before the content of a file: a header, preceded by another one for values that do not fit. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const records = extendedRecords(entry)
  const plain = block({ ...entry, name: records === undefined ? entry.name : 'file' }, REGULAR_FILE)
  if (records === undefined) return plain
  const extension = { name: 'pax-header', size: records.length, modifiedAt: entry.modifiedAt }
  return joinedBytes([
    block(extension, EXTENDED_HEADER),
    records,
    new Uint8Array(paddingAfter(records.length)),
    plain,
  ])
}

/** Returns the number of zeros after content of this size. */
export function paddingAfter(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/** Yields the entries with plain names in a chunk that begins with a header, with the positions of their content. */
export function* readTarEntries(
  bytes: Uint8Array,
): Generator<{ readonly name: string; readonly start: number; readonly size: number }> {
  const text = (from: number, length: number) =>
    new TextDecoder('latin1').decode(bytes.subarray(from, from + length)).split('\0')[0]!
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8)
    const start = at + BLOCK
    yield { name: text(at, MAX_PLAIN_NAME_LENGTH), start, size }
    at = start + size + paddingAfter(size)
  }
}

function extendedRecords({ name, size }: TarEntry): Uint8Array | undefined {
  const isPlain = /^[\x20-\x7e]*$/.test(name) && name.length <= MAX_PLAIN_NAME_LENGTH
  const records = [
    ...(isPlain ? [] : [record('path', name)]),
    ...(size > MAX_PLAIN_SIZE ? [record('size', String(size))] : []),
  ]
  return records.length === 0 ? undefined : joinedBytes(records)
}

/** Returns `{length} {key}={value}\n`, where the length counts its own digits. */
function record(key: string, value: string): Uint8Array {
  const rest = new TextEncoder().encode(` ${key}=${value}\n`)
  let length = rest.length
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return joinedBytes([new TextEncoder().encode(String(length)), rest])
}

function block({ name, size, modifiedAt }: TarEntry, type: string): Uint8Array {
  const header = new Uint8Array(BLOCK)
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(0, name)
  put(100, `${octal(0o644, 7)}\0`)
  put(108, `${octal(0, 7)}\0`)
  put(116, `${octal(0, 7)}\0`)
  put(124, `${octal(size > MAX_PLAIN_SIZE ? 0 : size, 11)}\0`)
  put(136, `${octal(modifiedAt, 11)}\0`)
  put(156, type)
  put(257, 'ustar\x0000')
  // The checksum is computed with spaces in its own field.
  put(148, ' '.repeat(8))
  put(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  )
  return header
}
