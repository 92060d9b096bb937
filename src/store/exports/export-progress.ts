/**
 * Progress of an export, stored after every chunk, so that the object may die at any moment.
 */
export type ExportProgress = CollectingProgress | AssemblingProgress | TidyingProgress

/** The first phase of an export: the contents of the archive are read, and stored in R2 chunk by chunk. */
export interface CollectingProgress {
  readonly stage: 'collect'
  /** Index in EXPORT_SOURCES. */
  readonly source: number
  /** Position at which the source continues; [] for its beginning. */
  readonly cursor: readonly number[]
  /** A name that belongs to that position. */
  readonly name?: string | undefined
  /** Number of the source's files so far. */
  readonly files: number
  /** Number of chunks so far, and their bytes in the archive. */
  readonly chunks: number
  readonly length: number
  /**
   * Position at which the uploads begin: the export goes back to it when one of them is deleted meanwhile.
   */
  readonly uploadsFrom?: UploadsStart
}

interface UploadsStart {
  readonly source: number
  readonly chunks: number
  readonly length: number
  /** Number of times that the uploads have been collected again. */
  readonly again?: number
}

/** The second phase: the chunks are joined into one object in R2, in parts of equal size. */
export interface AssemblingProgress {
  readonly stage: 'assemble'
  /** Bytes of the archive. */
  readonly length: number
  readonly uploadsFrom: UploadsStart
  /** The id of the multipart upload; null before it is started. */
  readonly uploadId: string | null
  /** Tags of the stored parts; null for one that is to be made again. */
  readonly etags: readonly (string | null)[]
}

/** The third phase: the chunks are deleted. An export that failed goes here at once. */
export interface TidyingProgress {
  readonly stage: 'tidy'
  /** The archive's length in bytes; null when it failed. */
  readonly length: number | null
  /** The upload to abort, if the export failed in the middle of it. */
  readonly uploadId: string | null
}

export const FIRST_PROGRESS: ExportProgress = {
  stage: 'collect',
  source: 0,
  cursor: [],
  files: 0,
  chunks: 0,
  length: 0,
}
