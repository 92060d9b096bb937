/** Reads tar archives in place, by ranges: each file has a header of 512 bytes before it. */
import { rangeOf } from './bytes.ts'
import { type Bytes, type ImportContext, ImportRefusedError } from './import-reader.ts'
import { MAX_FILES } from './survey.ts'

const RECORD = 512
const BLOCK_BYTES = 64 * 1024
/** Bytes of an extended header, such as a long name. */
const MAX_EXTENSION = 64 * 1024
const NAME_LENGTH = 900

export interface TarEntry {
  readonly name: string
  /** Where its bytes are. */
  readonly from: number
  readonly size: number
  /** The path for a `file` record: with the file's position, so that nothing has to search for it. */
  readonly path: string
  /** Where the header of the next file begins. */
  readonly end: number
}

/** Whether the file begins like a tar archive. */
export async function isTar(archive: Bytes): Promise<boolean> {
  return textOf(await archive.read(0, RECORD), 257, 5) === 'ustar'
}

/**
 * Yields the ordinary files after `begin`, which is the end of one of them. Links, devices, and names that lead out of the archive are skipped.
 * @throws ImportRefusedError when the archive is damaged
 */
export async function* filesOfTar(archive: Bytes, begin = 0): AsyncGenerator<TarEntry> {
  let [block, start] = [await archive.read(begin, begin + BLOCK_BYTES), begin]
  let [name, size] = ['', -1]
  for (let at = begin, read = 0; at + RECORD <= archive.size; read += 1) {
    refuseManyFiles(read)
    if (at + RECORD > start + block.length) [block, start] = [await archive.read(at, at + BLOCK_BYTES), at]
    const header = block.subarray(at - start, at - start + RECORD)
    if (header.every((byte) => byte === 0)) return
    const from = at + RECORD
    const own = sizeIn(header)
    const kind = String.fromCharCode(header[156]!)
    const length = size < 0 || !ORDINARY.has(kind) ? own : size
    if (own === undefined || length === undefined || !(length <= archive.size - from) || !isWhole(header))
      throw new ImportRefusedError('The tar archive is damaged, or ends too early. Load it again.')
    if (kind === 'x' || kind === 'L') {
      const text = new TextDecoder().decode(await archive.read(from, from + Math.min(own, MAX_EXTENSION)))
      if (kind === 'L') name = text.replaceAll('\0', '')
      else
        for (const [key, value] of extensionsOf(text)) {
          if (key === 'path') name = value
          else if (key === 'size') size = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
        }
    } else {
      const whole =
        name || [textOf(header, 345, 155), textOf(header, 0, 100)].filter((part) => part !== '').join('/')
      const isFine = whole.length <= NAME_LENGTH && !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(whole)
      const end = from + Math.ceil(length / RECORD) * RECORD
      if (ORDINARY.has(kind) && isFine)
        yield { name: whole, from, size: length, path: `${whole}@${from}+${length}`, end }
      name = ''
      size = -1
    }
    at = from + Math.ceil(length / RECORD) * RECORD
  }
}

/** Yields the next files in a step, and counts those of all steps. */
export async function* nextFilesOfTar(
  archive: Bytes,
  begin: number,
  { state }: Pick<ImportContext, 'state'>,
): AsyncGenerator<TarEntry> {
  for await (const entry of filesOfTar(archive, begin)) {
    const count = Number(state.entries ?? 0) + 1
    refuseManyFiles(count)
    state.entries = count
    yield entry
  }
}

/** Whether it is a tar archive that has such a file among its first `most`. A large one costs a request to the store. */
export async function isTarWith(
  archive: Bytes,
  most: number,
  isIt: (name: string) => boolean,
): Promise<boolean> {
  if (!(await isTar(archive))) return false
  let looked = 0
  for await (const { name } of filesOfTar(archive)) {
    if (isIt(name)) return true
    looked += 1
    if (looked === most) return false
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
