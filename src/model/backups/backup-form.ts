import { fromJson, type JsonText } from '../../core/json.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { SqlValue } from '../../core/sql.ts'
import type { BackupContents } from '../../store/backups/backup-rows.ts'

/** What a backup consists of. It is stored sealed, as JSON. */
export interface Manifest {
  readonly form: 1
  readonly id: number
  readonly organization: { readonly realmId: number; readonly host: string }
  /** The moment whose state it is: UNIX seconds with fraction. */
  readonly takenAt: number
  /** The number of the schema's newest step then. */
  readonly schema: number
  readonly contents: BackupContents
  readonly tables: readonly BackedUpTable[]
  /** Chunks of rows that had changed since they were copied, in order: table, key, and values or null, in each line. */
  readonly changes: readonly string[]
  /** Chunks of texts, in order: id, version, source, HTML and earlier versions, in each line. A later one of the same id wins. */
  readonly texts: readonly string[]
  /** Chunks of the list of files: key and size, in each line. */
  readonly files: readonly string[]
}

interface BackedUpTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Chunks with the values of a row in each line. */
  readonly chunks: readonly string[]
}

/** The folder of all backups in their store. */
export const MANIFESTS = 'manifests/'

/** The keys of an organization's backups in their store. */
export function manifestKey(
  realmId: number,
  { id, takenAt }: { readonly id: number; readonly takenAt: number },
) {
  return `${manifestFolder(realmId)}${new Date(takenAt * 1_000).toISOString()}-${id}`
}

export function manifestFolder(realmId: number): string {
  return `${MANIFESTS}${realmId}/`
}

/** Returns the number of a backup by the key of its manifest. */
export function idOfManifest(key: string): number {
  return Number(key.slice(key.lastIndexOf('-') + 1))
}

export function chunkFolder(realmId: number): string {
  return `chunks/${realmId}/`
}

/** Returns the key of a file of R2 in the store of backups. */
export function fileKey(key: string): string {
  return `files/${key}`
}

/** Returns the folders of an organization's files in R2. */
export function foldersOfFiles(realmId: number): readonly string[] {
  return [`images/${realmId}/`, `user_uploads/${realmId}/`]
}

/** Writes a value of a column into a line of JSON; bytes become an object with their base64. */
export function lineOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map(asJson))
}

/** Returns the line of a text. */
export function lineOfBody({ id, version, content, renderedContent, editHistory }: MessageBody): string {
  return lineOf([id, version, content, renderedContent, JSON.stringify(editHistory)])
}

function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson)
  if (value instanceof ArrayBuffer) return { b: Buffer.from(value).toString('base64') }
  if (ArrayBuffer.isView(value))
    return { b: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  return value
}

/** Returns the values of such a line: `Line` is what was written into it. */
export function valuesOf<Line extends readonly unknown[]>(line: string): Line {
  return fromJson(line as JsonText<unknown[]>).map(fromPlain) as readonly unknown[] as Line
}

function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlain)
  return typeof value === 'object' && value !== null && 'b' in value
    ? new Uint8Array(Buffer.from(String(value.b), 'base64'))
    : value
}

/** A line of `changes`: a table, the key of a row, and its values; null if it is gone. */
export type ChangeLine = readonly [table: string, key: readonly (string | number)[], values: RowLine | null]

/** A line of a table: the values of a row. */
export type RowLine = readonly SqlValue[]

/** A line of `texts`. */
export type TextLine = readonly [
  id: number,
  version: number,
  content: string,
  renderedContent: string,
  editHistory: string,
]

/** A line of `files`. */
export type FileLine = readonly [key: string, size: number]
