import type { FileBucket } from './file-bucket.ts'

export interface IncomingFile {
  /** The name on the sender's device; may be empty, and may contain a path. */
  readonly name: string
  /** The type as the sender states it; may be empty. */
  readonly contentType: string
  /** The file's bytes. They can be read once; throws if the request is aborted. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Memory that one request holds for arriving bytes, out of the memory that all requests share. */
export interface ArrivingMemory {
  readonly bytes: number
  /**
   * Holds this many bytes, if that is more than before, and waits for them. Bytes held already stay held meanwhile.
   * @throws ServiceUnavailableError (503) if there are too few for too long.
   */
  hold(bytes: number): Promise<void>
  /** Holds this many bytes if they are free at once; returns whether they were. */
  holdAtOnce(bytes: number): Promise<boolean>
  /** Reports that bytes have arrived: memory for which none arrive is released after a while. */
  renew(): void
  /** Reports that everything has arrived: how long the memory is needed no longer depends on the client. */
  arrived(): void
  release(): void
}

/** The store of files' bytes. */
export interface FileStore {
  /**
   * Stores a file under a key, replacing an earlier one, and returns its size in bytes. Content that comes in chunks is held in memory part
   * by part, by default in the request's arriving memory.
   * @throws FileTooLargeError beyond `limitBytes`; then nothing is stored. ServiceUnavailableError (503)
   */
  keep(
    key: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    limitBytes: number,
    memory?: ArrivingMemory,
  ): Promise<number>
  /** Reads the bytes of a file as they arrive. @throws FileGoneError while iterating, when there is no such file. */
  read(key: string): AsyncIterable<Uint8Array>
  /** Begins a file that is stored in parts, all of equal size but the last; returns its id. @throws ServiceUnavailableError (503) */
  beginParts(key: string): Promise<string>
  /**
   * Stores a part as its bytes arrive, few of which are in memory; returns its tag, which is needed to complete the file.
   * @throws OtherSizeError when there are not `size` bytes, and what `content` throws; then nothing is stored. ServiceUnavailableError (503)
   */
  keepPart(
    key: string,
    id: string,
    part: { readonly number: number; readonly size: number; readonly content: AsyncIterable<Uint8Array> },
  ): Promise<string>
  abandonParts(key: string, id: string): Promise<void>
  /** Removes a file; no error if there is none. */
  discard(key: string): Promise<void>
}

export class FileTooLargeError extends Error {}

export class OtherSizeError extends Error {}

export class FileGoneError extends Error {}

/** A form whose parts cannot be told apart, or that ends too early. */
export class BrokenFormError extends Error {}

export const MIB = 1024 * 1024

/** Limits of a deployment without a bucket, whose files are in D1: of one file, and of all of an organization's, archives included. */
export const MIB_IN_D1 = { file: 5, organization: 50 }

export interface FileLimitEnvironment {
  /** The bucket of files. Absent: they are in D1. */
  readonly UPLOADS?: FileBucket
  /** Limit of one file, in MiB; 100 unless set. */
  readonly MAX_FILE_UPLOAD_MIB?: string
  /** Limit of all uploads of an organization together, in MiB; none unless set. */
  readonly UPLOAD_QUOTA_MIB?: string
}

export interface FileLimits {
  readonly maxFileUploadMib: number
  /** Null: no limit. */
  readonly uploadQuotaMib: number | null
}

const DEFAULT_MAX_MIB = 100

export function fileLimits(env: FileLimitEnvironment): FileLimits {
  const maxFileUploadMib = positive(env.MAX_FILE_UPLOAD_MIB) ?? DEFAULT_MAX_MIB
  const uploadQuotaMib = positive(env.UPLOAD_QUOTA_MIB)
  if (env.UPLOADS) return { maxFileUploadMib, uploadQuotaMib }
  const { file, organization } = MIB_IN_D1
  return {
    maxFileUploadMib: Math.min(maxFileUploadMib, file),
    uploadQuotaMib: Math.min(uploadQuotaMib ?? organization, organization),
  }
}

function positive(setting: string | undefined): number | null {
  const value = Number(setting ?? '')
  return Number.isFinite(value) && value > 0 ? value : null
}
