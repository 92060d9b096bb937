import { isJsonDeeperThan, parseJson } from '../core/json.ts'
import type { Bytes, ImportContext, ImportReader, ImportUnit } from './import-reader.ts'
import type { NeutralRecord } from './neutral.ts'

/** Bytes in which the lines of one unit begin. */
const UNIT_BYTES = 8 * 1024 * 1024
/** Levels of lists and objects in a line: a record has four. */
const MAX_LEVELS = 20
const FIRST_BYTES = 4_096

interface LinesUnit extends ImportUnit {
  readonly from: number
  readonly to: number
}

const BLOCK_BYTES = 512 * 1024
/** Bytes of a line. A file in base64 may be in it. */
const MAX_LINE_BYTES = 12 * 1024 * 1024
const NEWLINE = 10

/** Reads the lines that begin in a range; the last may end after it. */
export async function* linesOf(
  archive: Bytes,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<string | 'too long'> {
  const decoder = new TextDecoder()
  let parts: Uint8Array[] = []
  let length = 0
  // A line that begins before the range belongs to the range before.
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
    // After the range no line begins, and the last one is read to its end, or given up.
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

/** The neutral form itself, with a record on each line. */
export const neutralReader: ImportReader<LinesUnit> = {
  name: 'neutral',
  displayName: 'JSON lines of the neutral form',

  async recognises(archive) {
    const first = new TextDecoder().decode(await archive.read(0, FIRST_BYTES))
    return /^\ufeff?\s*\{[^\n]*"type"\s*:\s*"parley-import"/.test(first)
  },

  async *units(archive) {
    for (let from = 0; from < archive.size; from += UNIT_BYTES) {
      yield { name: archive.name, from, to: Math.min(from + UNIT_BYTES, archive.size) }
    }
  },

  adds: () => false,

  async *read(archive, unit, context) {
    for await (const line of linesOf(archive, unit)) {
      const number = nextLine(context)
      const record = line === 'too long' ? tooLong() : recordOf(line)
      if (!record) continue
      yield record.type === 'problem' ? { line: number, ...record } : record
    }
  },
}

/** Counts the lines of all units, which are read in order. */
function nextLine({ state }: ImportContext): number {
  const line = Number(state.line ?? 0) + 1
  state.line = line
  return line
}

function tooLong(): NeutralRecord {
  return { type: 'problem', kind: 'line too long', detail: `more than ${MAX_LINE_BYTES} bytes` }
}

/** Returns the unchecked record of a line; a problem if it is no JSON, and undefined for an empty one. */
function recordOf(line: string): NeutralRecord | undefined {
  const json = line.trim()
  if (json === '') return undefined
  if (isJsonDeeperThan(MAX_LEVELS, json)) {
    return { type: 'problem', kind: 'nested too deep', detail: `more than ${MAX_LEVELS} levels` }
  }
  try {
    return parseJson(json) as NeutralRecord
  } catch {
    return { type: 'problem', kind: 'no JSON', detail: json.slice(0, 100) }
  }
}
