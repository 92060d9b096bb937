import { Buffer } from 'node:buffer'
import { Header } from 'tar/header'
import { Pax } from 'tar/pax'
import { joinedBytes } from '../../core/growing-bytes.ts'

/** The archive format of exports, POSIX tar (pax): an entry is a header and the content, filled up to whole blocks of bytes. */
const BLOCK = 512
/** Length of names that fit into the header itself. */
const MAX_PLAIN_NAME_LENGTH = 100

interface TarEntry {
  /** The path, with `/` between folders. */
  readonly name: string
  readonly size: number
  /** UNIX seconds, integer. */
  readonly modifiedAt: number
}

export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK)

/** Returns the blocks before the content of a file: a header, preceded by another one for values that do not fit. */
export function tarHeader({ name, size, modifiedAt }: TarEntry): Uint8Array {
  const mtime = new Date(modifiedAt * 1_000)
  const header = new Header({ path: name, size, mtime, mode: 0o644, uid: 0, gid: 0, type: 'File' })
  const isTooMuch = header.encode() || name.length > MAX_PLAIN_NAME_LENGTH
  return isTooMuch
    ? joinedBytes([new Pax({ path: name, size, mtime }).encode(), header.block!])
    : header.block!
}

/** Returns the number of zeros after content of this size. */
export function paddingAfter(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/** Yields the entries with plain names in a chunk that begins with a header, with the positions of their content. */
export function* readTarEntries(
  bytes: Uint8Array,
): Generator<{ readonly name: string; readonly start: number; readonly size: number }> {
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const header = new Header(Buffer.from(bytes.buffer, bytes.byteOffset + at, BLOCK))
    const [name = '', size = 0] = [header.path, header.size]
    const start = at + BLOCK
    yield { name, start, size }
    at = start + size + paddingAfter(size)
  }
}
