import { isJsonDeeperThan, parseJson } from '../core/json.ts'
import {
  type Bytes,
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  type ImportUnit,
  type Looking,
  rangeOf,
} from './import-reader.ts'
import { Known } from './known.ts'
import type { NeutralRecord, RecordOf } from './neutral.ts'
import { filesIn, LISTED_AT_ONCE, listsOf } from './survey.ts'
import { fileInTar, isTarWith, surveyTar } from './tar.ts'

/** Bytes in which the lines of one unit begin. */
const UNIT_BYTES = 8 * 1024 * 1024
/** Levels of lists and objects in a line: a record has four. */
const MAX_LEVELS = 20
const FIRST_BYTES = 4_096

/** The file of a tar archive that has the first record. Paths of files are those from its folder. */
const HEAD = 'parley-import.jsonl'
/** Entries among which an archive is recognised. */
const MAX_LOOKED_AT = 400
/** Files of lines, in the order in which they are read: the head says where all others are from. */
const KINDS = ['head', 'lines'] as const

interface NeutralUnit extends ImportUnit {
  /** `survey` lists entries of a tar archive; `listed` adds the lines of the listed files. */
  readonly kind: 'survey' | 'listed' | 'lines'
  /** A range of the file of lines. */
  readonly from: number
  readonly to: number
  /** Where that file is in the archive; null where it is the archive itself. */
  readonly file: readonly [start: number, size: number] | null
}

const WITHOUT_LINES = { from: 0, to: 0, file: null } as const

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

/** The neutral form itself, with a record on each line: one file, or a tar archive of such files and others. */
export const neutralReader = neutralReaderOf(LISTED_AT_ONCE)

/** `listed`: entries that one step lists. */
export function neutralReaderOf(listed: number): ImportReader<NeutralUnit> {
  return {
    name: 'neutral',
    displayName: 'Parley (export of an organization, or the neutral form)',

    async recognises(archive, from) {
      return (from.at === 0 && (await beginsWithHead(archive))) || isTarOfLines(archive, from)
    },

    async *units(archive) {
      if (await beginsWithHead(archive)) yield* unitsOf(archive, null)
      else yield { ...WITHOUT_LINES, name: archive.name, kind: 'survey' }
    },

    adds: ({ kind }) => kind === 'survey' || kind === 'listed',

    async *read(archive, unit, context) {
      const known = new Known(context)
      if (unit.kind === 'survey') yield* survey(archive, unit, context, known, listed)
      else if (unit.kind === 'listed')
        for (const file of await filesIn(unit.name, known))
          for (const part of unitsOf(file, [file.from, file.size])) context.add(part)
      else yield* recordsIn(archive, unit, context, known)
    },

    file: fileInTar,
  }
}

async function beginsWithHead(archive: Bytes): Promise<boolean> {
  const first = new TextDecoder().decode(await archive.read(0, FIRST_BYTES))
  return /^\ufeff?\s*\{[^\n]*"type"\s*:\s*"parley-import"/.test(first)
}

function isTarOfLines(archive: Bytes, from: Looking): Promise<boolean | Looking> {
  return isTarWith(archive, from, MAX_LOOKED_AT, isHead)
}

function isHead(name: string): boolean {
  return name === HEAD || name.endsWith(`/${HEAD}`)
}

function* unitsOf(
  { name, size }: { readonly name: string; readonly size: number },
  file: NeutralUnit['file'],
): Generator<NeutralUnit> {
  for (let from = 0; from < size; from += UNIT_BYTES) {
    yield { name, kind: 'lines', from, to: Math.min(from + UNIT_BYTES, size), file }
  }
}

/** Notes where the files are, step by step; then adds the lists of those with lines. */
async function* survey(
  archive: ImportArchive,
  unit: NeutralUnit,
  context: ImportContext,
  known: Known,
  most: number,
): AsyncGenerator<NeutralRecord> {
  const next = yield* surveyTar(archive, { begin: unit.from, most }, context, known, ({ name }) => {
    if (context.state.folder === undefined && isHead(name)) {
      context.state.folder = name.slice(0, -HEAD.length)
      return { kinds: ['head'] }
    }
    return name.endsWith('.jsonl') ? { kinds: ['lines'] } : { key: name }
  })
  if (next !== undefined) return context.add({ ...unit, from: next })
  for (const kind of KINDS)
    for (const name of await listsOf(kind, known)) context.add({ ...WITHOUT_LINES, name, kind: 'listed' })
}

async function* recordsIn(
  archive: ImportArchive,
  unit: NeutralUnit,
  context: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if (unit.from === 0) context.state.line = 0
  const file = unit.file ? rangeOf(archive, ...unit.file) : archive
  for await (const line of linesOf(file, unit)) {
    const number = nextLine(context)
    const record = line === 'too long' ? tooLong() : recordOf(line)
    if (!record) continue
    if (record.type === 'problem') yield { line: number, ...record }
    else yield record.type === 'file' ? await placed(record, context, known) : record
  }
}

/** Returns the record of a file with the position of its bytes; unchanged if the archive does not have them. */
async function placed(
  record: RecordOf<'file'>,
  { state }: ImportContext,
  known: Known,
): Promise<RecordOf<'file'>> {
  const { folder } = state
  if (typeof folder !== 'string' || typeof record.path !== 'string') return record
  const path = await known.get('upload', folder + record.path)
  return path === undefined ? record : { ...record, path }
}

/** Counts the lines of a file, whose units are read in order. */
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
