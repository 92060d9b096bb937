import type { Bytes } from './import-reader.ts'

const BLOCK_BYTES = 512 * 1024

/** Returns a part of some bytes as bytes of their own. */
export function rangeOf(bytes: Bytes, start: number, size: number): Bytes {
  const within = (at: number) => start + Math.min(Math.max(at, 0), size)
  return { size, read: (from, to) => bytes.read(within(from), within(to)) }
}

export async function* blocksOf(bytes: Bytes, length = BLOCK_BYTES): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.size; at += length) yield await bytes.read(at, at + length)
}
