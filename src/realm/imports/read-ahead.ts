import type { ImportArchive } from '../../imports/import-reader.ts'

const BLOCK_BYTES = 256 * 1024
const BLOCKS_KEPT = 16
/** Longer pieces are read by themselves. */
const SHORT_BYTES = 64 * 1024

/**
 * Reads short pieces of an archive in blocks, the last of which are kept: a directory is read entry by entry, and the small files of an archive lie
 * side by side, while each call of R2 takes as long as a thousand of them in memory.
 */
export function readAhead(archive: ImportArchive): ImportArchive {
  const kept = new Map<number, Uint8Array>()
  const blockAt = async (number: number): Promise<Uint8Array> => {
    const block = kept.get(number) ?? (await archive.read(number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES))
    kept.delete(number)
    kept.set(number, block)
    if (kept.size > BLOCKS_KEPT) kept.delete(kept.keys().next().value!)
    return block
  }
  return {
    name: archive.name,
    size: archive.size,
    async read(from, to) {
      const end = Math.min(to, archive.size)
      if (end - from > SHORT_BYTES) return archive.read(from, end)
      const bytes = new Uint8Array(Math.max(end - from, 0))
      for (let at = from; at < end; ) {
        const number = Math.floor(at / BLOCK_BYTES)
        const start = number * BLOCK_BYTES
        const part = (await blockAt(number)).subarray(at - start, end - start)
        if (part.length === 0) return bytes.subarray(0, at - from)
        bytes.set(part, at - from)
        at += part.length
      }
      return bytes
    },
  }
}
