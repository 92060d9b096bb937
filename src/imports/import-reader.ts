import type { NeutralRecord } from './neutral.ts'

/** Bytes that can be read at any position: an archive, or a file in it. */
export interface Bytes {
  readonly size: number
  /** Returns the bytes from `from` up to `to`; fewer where they end before. */
  read(from: number, to: number): Promise<Uint8Array>
}

/** An archive as it was uploaded, or as it is on a disk. */
export interface ImportArchive extends Bytes {
  /** Its name where it came from, which may say of what kind it is. */
  readonly name: string
}

/** A value that is written as JSON as it is. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/**
 * A piece of an archive that is read by itself, in order: an entry of a ZIP, a range of lines. It is stored, so its values are plain; and
 * it is small, since an archive may have 100,000 of them.
 */
export interface ImportUnit {
  /** For people: the name of the file. */
  readonly name: string
  readonly [detail: string]: Plain
}

/** What a reader knows from the units before. It is stored with the progress, so that reading goes on anywhere. */
export interface ImportContext {
  /** Small and plain (at most 256 KiB as JSON), and changed in place. A number as its `line` says where the last record was, if that is a problem. */
  state: { [key: string]: Plain }
  /** What may be large, such as the roots of threads: a text (at most 64 KiB) by a key. */
  readonly store: {
    get(key: string): Promise<string | undefined>
    put(key: string, value: string): Promise<void>
  }
  /** Adds a unit that the present one has found. It is read after all that are listed already. */
  add(unit: ImportUnit): void
}

/**
 * A format of archives (docs/import.md). It is pure: it knows neither the organization nor the clock, and keeps nothing between units but
 * what its context has. Whatever is wrong in one record becomes a `problem`, and the rest goes on.
 */
export interface ImportReader<Unit extends ImportUnit = ImportUnit> {
  /** The name in the API. */
  readonly name: string
  readonly displayName: string
  /** Whether the archive looks like this format. Reads at most some hundred kilobytes. */
  recognises(archive: ImportArchive): Promise<boolean>
  /**
   * Lists the units in the order in which they are read: people and channels before what refers to them. What takes long to list is listed by
   * units, which add others.
   * @throws ImportRefusedError when the archive as a whole cannot be read.
   */
  units(archive: ImportArchive): AsyncIterable<Unit>
  /** Reads one unit. At most 32 MiB are held at a time. Messages may have any order: the engine sorts them by time. */
  read(archive: ImportArchive, unit: Unit, context: ImportContext): AsyncIterable<NeutralRecord>
  /** Finds the bytes of a `file` record with a path; undefined if the archive does not have it. */
  file?(archive: ImportArchive, path: string): Promise<Bytes | undefined>
}

/** An archive that cannot be read at all, in words that say what to do. */
export class ImportRefusedError extends Error {}
