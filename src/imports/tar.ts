/** Reads tar archives in place, by ranges: each file has a header of 512 bytes before it. `tar` decodes headers; what they claim is checked here. */
import { Buffer } from 'node:buffer'
import { Header, type HeaderData } from 'tar/header'
import { Pax } from 'tar/pax'
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
  return new TextDecoder().decode(await archive.read(257, 262)) === 'ustar'
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
  let [extended, extensions]: [HeaderData, number] = [{}, 0]
  for (let at = begin, looked = 0; at + RECORD <= archive.size; looked += 1) {
    refuseManyFiles(looked)
    if (at + RECORD > start + block.length) {
      ;[block, start] = [await archive.read(at, at + BLOCK_BYTES), at]
      reads += 1
    }
    const header = headerAt(block, at - start, extended)
    if (header.nullBlock) return
    const from = at + RECORD
    const { typeKey: kind, size = Number.NaN } = header
    if (!Number.isSafeInteger(size) || size > archive.size - from || extensions === MAX_EXTENSIONS)
      throw damaged()
    const end = from + Math.ceil(size / RECORD) * RECORD
    if (kind === 'x' || kind === 'L') {
      const text = new TextDecoder().decode(await archive.read(from, from + Math.min(size, MAX_EXTENSION)))
      extended = kind === 'x' ? extensionIn(text, extended) : { ...extended, path: text.replaceAll('\0', '') }
      reads += 1
      extensions += 1
    } else {
      const name = extended.path ?? header.path ?? ''
      const isInside = name.length <= NAME_LENGTH && !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(name)
      yield {
        name,
        from,
        size,
        path: `${name}@${from}+${size}`,
        end,
        isFile: ORDINARY.has(kind) && isInside,
        isEnough: reads >= READS_AT_ONCE,
      }
      ;[extended, extensions] = [{}, 0]
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

/** Types of ordinary files. */
const ORDINARY: ReadonlySet<string> = new Set(['0', '7'])

export async function fileInTar(archive: Bytes, path: string): Promise<Bytes | undefined> {
  const found = /@(\d{1,16})\+(\d{1,16})$/.exec(path)
  if (!found) return undefined
  const [start, size] = [Number(found[1]), Number(found[2])]
  return start + size > archive.size ? undefined : rangeOf(archive, start, size)
}

/** Decodes the header at a position. @throws ImportRefusedError when there is none */
function headerAt(block: Uint8Array, at: number, extended: HeaderData): Header {
  try {
    const header = new Header(Buffer.from(block.buffer, block.byteOffset + at, RECORD), 0, extended)
    if (header.nullBlock || header.cksumValid) return header
  } catch {
    // A number that cannot be.
  }
  throw damaged()
}

/** Reads values that do not fit into the next header. @throws ImportRefusedError when a size is none: what follows cannot be found */
function extensionIn(text: string, before: HeaderData): HeaderData {
  const extension = Pax.parse(text, before)
  if (extension.size === undefined && /^\d+ size=/m.test(text)) throw damaged()
  return extension
}

function damaged(): ImportRefusedError {
  return new ImportRefusedError('The tar archive is damaged, or ends too early. Load it again.')
}
