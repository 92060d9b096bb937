import type { NeutralRecord } from './neutral.ts'

/** Bytes that can be read from any position: an archive, or a file in it. */
export interface Bytes {
  readonly size: number
  /** Returns the bytes from `from` up to `to`, or up to the end. */
  read(from: number, to: number): Promise<Uint8Array>
}

const BLOCK_BYTES = 512 * 1024

/** Returns a part of some bytes as bytes of their own. */
export function rangeOf(bytes: Bytes, start: number, size: number): Bytes {
  const within = (at: number) => start + Math.min(Math.max(at, 0), size)
  return { size, read: (from, to) => bytes.read(within(from), within(to)) }
}

export async function* blocksOf(bytes: Bytes, length = BLOCK_BYTES): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.size; at += length) yield await bytes.read(at, at + length)
}

/** An archive, uploaded or on a disk. */
export interface ImportArchive extends Bytes {
  /** The name of its file, which may tell its format. */
  readonly name: string
}

/** A value that JSON can hold. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/**
 * A piece of an archive that is read by itself, such as an entry of a ZIP or a range of lines. Units are read in order. They are stored, so their
 * values are plain, and an archive may have hundreds of thousands of them, so they are small.
 */
export interface ImportUnit {
  /** The name of the file, which problems without one get. */
  readonly name: string
  readonly [detail: string]: Plain
}

/** What a reader knows from earlier units. It is stored with the progress, so that reading can continue anywhere. */
export interface ImportContext {
  /** Small (at most 256 KiB as JSON), and changed in place. A number as its `line` is the line of the last record. */
  state: { [key: string]: Plain }
  /** Texts of at most 64 KiB by key, for what may be large, such as the roots of threads. */
  readonly store: {
    get(key: string): Promise<string | undefined>
    put(key: string, value: string): Promise<void>
  }
  /** Adds a unit, to be read after all that are listed already. */
  add(unit: ImportUnit): void
}

/** How far a format has looked for what it knows: a position in the archive, and the number of entries before it. */
export type Looking = { readonly at: number; readonly looked: number }

/** How far the format of an archive was looked for: in the list of formats, and in the archive. */
export type FormatSearch = Looking & { readonly reader: number }

/**
 * A format of archives (docs/import.md). It knows neither the organization nor the clock, and keeps nothing between units but its context. A
 * fault in one record becomes a `problem`, and the rest goes on.
 */
export interface ImportReader<Unit extends ImportUnit = ImportUnit> {
  /** Its name in the API. */
  readonly name: string
  readonly displayName: string
  /**
   * Whether the archive looks like this format. Reads the beginning of a few files, or of the list of files. If that takes long, it returns where
   * it goes on in another step.
   */
  recognises(archive: ImportArchive, from: Looking): Promise<boolean | Looking>
  /**
   * Lists the units in the order in which they are read: people and channels before what refers to them. If listing takes long, units do it,
   * and add others.
   * @throws ImportRefusedError when the archive as a whole cannot be read
   */
  units(archive: ImportArchive): AsyncIterable<Unit>
  /** Whether reading the unit may add others. Until all of those are read, nobody knows how many units there are. */
  adds(unit: Unit): boolean
  /** Reads one unit, holding at most 32 MiB at a time. Messages may have any order: the engine sorts them by time. */
  read(archive: ImportArchive, unit: Unit, context: ImportContext): AsyncIterable<NeutralRecord>
  /** Finds the bytes of a `file` record by its path; undefined if the archive does not have them. */
  file?(archive: ImportArchive, path: string): Promise<Bytes | undefined>
}

/** Thrown for an archive that cannot be read at all. The message says what to do. */
export class ImportRefusedError extends Error {}
