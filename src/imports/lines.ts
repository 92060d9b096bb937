import type { Bytes } from './import-reader.ts'

const BLOCK_BYTES = 512 * 1024
/** Bytes of a line. A file in base64 may be in it. */
export const MAX_LINE_BYTES = 12 * 1024 * 1024
const NEWLINE = 10

/** Reads the lines that begin in a range; the last may go on behind it. */
export async function* linesOf(
  archive: Bytes,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<string | 'too long'> {
  const decoder = new TextDecoder()
  let parts: Uint8Array[] = []
  let length = 0
  // A line that begins before the unit belongs to the one before.
  let isOurs = from === 0 || (await archive.read(from - 1, from))[0] === NEWLINE
  const line = (): string | 'too long' =>
    length > MAX_LINE_BYTES
      ? 'too long'
      : parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
  for (let at = from; at < archive.size; ) {
    const block = await archive.read(at, at + BLOCK_BYTES)
    if (block.length === 0) return
    let start = 0
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
      if (isOurs) {
        keep(block.subarray(start, end))
        yield line()
      }
      parts = []
      length = 0
      start = end + 1
      isOurs = true
      if (at + start >= to) return
    }
    if (isOurs) keep(block.subarray(start))
    at += block.length
    // Nothing begins here any more, and what began before is read to its end, or given up.
    if (!isOurs && at >= to) return
    if (length > MAX_LINE_BYTES && at >= to) {
      yield 'too long'
      return
    }
  }
  if (isOurs && length > 0) yield line()

  function keep(bytes: Uint8Array): void {
    length += bytes.length
    if (length > MAX_LINE_BYTES) parts = []
    else parts.push(bytes)
  }
}
