/** Reads tar archives in place, by ranges: each file has a header of 512 bytes before it. */
import { type Bytes, type ImportContext, ImportRefusedError, type Looking, rangeOf } from './import-reader.ts'
import type { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { MAX_FILES, type NeededFile, survey } from './survey.ts'

const RECORD = 512
const BLOCK_BYTES = 64 * 1024
/** Bytes of an extended header, such as a long name. */
const MAX_EXTENSION = 64 * 1024
const NAME_LENGTH = 900
/** Extended headers of one file: others have two or three. */
const MAX_EXTENSIONS = 16
/** Blocks that one step reads. Files are passed over by a read of what follows them, and each may be a request to the store. */
const READS_AT_ONCE = 100

export interface TarEntry {
  readonly name: string
  /** Where its bytes are. */
  readonly from: number
  readonly size: number
  /** The path for a `file` record: with the file's position, so that nothing has to search for it. */
  readonly path: string
  /** Where the header of the next file begins. */
  readonly end: number
  /** Whether it is an ordinary file in the archive: no folder, link or device, and without a name that leads out. */
  readonly isFile: boolean
  /** Whether a step ends with it, since so much was read. */
  readonly isEnough: boolean
}

/** Whether the file begins like a tar archive. */
export async function isTar(archive: Bytes): Promise<boolean> {
  return textOf(await archive.read(0, RECORD), 257, 5) === 'ustar'
}

/**
 * Yields the ordinary files. Links, devices, and names that lead out of the archive are skipped.
 * @throws ImportRefusedError when the archive is damaged
 */
export async function* filesOfTar(archive: Bytes): AsyncGenerator<TarEntry> {
  for await (const entry of entriesOfTar(archive, 0)) if (entry.isFile) yield entry
}

/** Yields all entries after `begin`, which is the end of one of them. */
async function* entriesOfTar(archive: Bytes, begin: number): AsyncGenerator<TarEntry> {
  let [block, start] = [await archive.read(begin, begin + BLOCK_BYTES), begin]
  let reads = 1
  let [name, size, extensions] = ['', -1, 0]
  for (let at = begin, looked = 0; at + RECORD <= archive.size; looked += 1) {
    refuseManyFiles(looked)
    if (at + RECORD > start + block.length) {
      ;[block, start] = [await archive.read(at, at + BLOCK_BYTES), at]
      reads += 1
    }
    const header = block.subarray(at - start, at - start + RECORD)
    if (header.every((byte) => byte === 0)) return
    const from = at + RECORD
    const own = sizeIn(header)
    const kind = String.fromCharCode(header[156]!)
    const length = size < 0 || !ORDINARY.has(kind) ? own : size
    const isFine = length !== undefined && length <= archive.size - from && extensions < MAX_EXTENSIONS
    if (own === undefined || !isFine || !isWhole(header))
      throw new ImportRefusedError('The tar archive is damaged, or ends too early. Load it again.')
    const end = from + Math.ceil(length / RECORD) * RECORD
    if (kind === 'x' || kind === 'L') {
      const text = new TextDecoder().decode(await archive.read(from, from + Math.min(own, MAX_EXTENSION)))
      reads += 1
      extensions += 1
      if (kind === 'L') name = text.replaceAll('\0', '')
      else
        for (const [key, value] of extensionsOf(text)) {
          if (key === 'path') name = value
          else if (key === 'size') size = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
        }
    } else {
      const whole =
        name || [textOf(header, 345, 155), textOf(header, 0, 100)].filter((part) => part !== '').join('/')
      const isInside = whole.length <= NAME_LENGTH && !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(whole)
      yield {
        name: whole,
        from,
        size: length,
        path: `${whole}@${from}+${length}`,
        end,
        isFile: ORDINARY.has(kind) && isInside,
        isEnough: reads >= READS_AT_ONCE,
      }
      ;[name, size, extensions] = ['', -1, 0]
    }
    at = end
  }
}

/** Notes the needed files among the next entries, as `survey` does. Files are counted over all steps. */
export function surveyTar(
  archive: Bytes,
  { begin, most }: { readonly begin: number; readonly most: number },
  { state }: Pick<ImportContext, 'state'>,
  known: Known,
  neededFile: (file: TarEntry) => NeededFile | undefined,
): AsyncGenerator<NeutralRecord, number | undefined> {
  return survey(entriesOfTar(archive, begin), most, known, (entry) => {
    if (!entry.isFile) return undefined
    const files = Number(state.entries ?? 0) + 1
    refuseManyFiles(files)
    state.entries = files
    return neededFile(entry)
  })
}

/** Whether it is a tar archive that has such a file among its first `most` entries, or where to go on looking in another step. */
export async function isTarWith(
  archive: Bytes,
  { at, looked }: Looking,
  most: number,
  isIt: (name: string) => boolean,
): Promise<boolean | Looking> {
  if (at === 0 && !(await isTar(archive))) return false
  let count = looked
  for await (const { name, isFile, isEnough, end } of entriesOfTar(archive, at)) {
    if (isFile && isIt(name)) return true
    count += 1
    if (count === most) return false
    if (isEnough) return { at: end, looked: count }
  }
  return false
}

/** @throws ImportRefusedError for more files than an archive may have */
function refuseManyFiles(count: number): void {
  if (count <= MAX_FILES) return
  throw new ImportRefusedError(`The tar archive has more than ${MAX_FILES} files. Divide the export.`)
}

const ORDINARY = new Set(['0', '\0', '7'])

export async function fileInTar(archive: Bytes, path: string): Promise<Bytes | undefined> {
  const found = /@(\d{1,16})\+(\d{1,16})$/.exec(path)
  if (!found) return undefined
  const [start, size] = [Number(found[1]), Number(found[2])]
  return start + size > archive.size ? undefined : rangeOf(archive, start, size)
}

/** Whether a header has its checksum: the sum of its bytes, with spaces where the checksum is. */
function isWhole(header: Uint8Array): boolean {
  let sum = 8 * 0x20
  for (let at = 0; at < RECORD; at += 1) if (at < 148 || at >= 156) sum += header[at]!
  return Number.parseInt(textOf(header, 148, 8).trim(), 8) === sum
}

function textOf(header: Uint8Array, from: number, length: number): string {
  return new TextDecoder().decode(header.subarray(from, from + length)).split('\0', 1)[0]!
}

/** Reads a size: octal digits, or a binary number if the first bit is set. */
function sizeIn(header: Uint8Array): number | undefined {
  if ((header[124]! & 0x80) !== 0) return header.subarray(125, 136).reduce((sum, byte) => sum * 256 + byte, 0)
  const digits = textOf(header, 124, 12).trim()
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

/** Reads lines such as `27 path=…`, each preceded by its length. */
function* extensionsOf(text: string): Generator<readonly [key: string, value: string]> {
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=')
    if (equals > 0) yield [line.slice(line.indexOf(' ') + 1, equals), line.slice(equals + 1)]
  }
}
