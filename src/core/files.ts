/** A file that came with a request. */
export interface IncomingFile {
  /** The name as the sender's device has it; may be empty, and may hold a path. */
  readonly name: string
  /** The type as the sender gives it; may be empty. */
  readonly contentType: string
  /** The file's bytes. Can be read once; throws when the request breaks off. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Memory that one request holds for bytes as they arrive, of the memory that all requests share. */
export interface ArrivingMemory {
  /** Bytes that are held. */
  readonly bytes: number
  /**
   * Holds this many bytes, if they are more than before, and waits for them. What is held already stays so meanwhile.
   * @throws ServiceUnavailableError (503) when there is too little for too long.
   */
  hold(bytes: number): Promise<void>
  /** Holds this many bytes if there is room at once; returns whether there was. */
  holdAtOnce(bytes: number): Promise<boolean>
  /** Says that bytes have come: memory for which nothing comes is free again after a while. */
  renew(): void
  /** Says that all has arrived: how long the memory is needed does not depend on the client any more. */
  arrived(): void
  giveBack(): void
}

/** The store of files' bytes. */
export interface FileStore {
  /**
   * Stores a file under a key, replacing an earlier one, and returns its size in bytes. Content that comes in
   * chunks is held in memory part by part, by default as it arrives with the request.
   * @throws FileTooLargeError beyond `limitBytes`; then nothing is kept. ServiceUnavailableError (503)
   */
  keep(
    key: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    limitBytes: number,
    memory?: ArrivingMemory,
  ): Promise<number>
  /**
   * Reads the bytes of a file as they arrive.
   * @throws FileGoneError while iterating, when there is no such file.
   */
  read(key: string): AsyncIterable<Uint8Array>
  /**
   * Begins a file that is stored in parts, all of one size but the last; returns its id.
   * @throws ServiceUnavailableError (503)
   */
  beginParts(key: string): Promise<string>
  /**
   * Stores a part as its bytes arrive, of which few are in memory; returns its tag, which completing the file needs.
   * @throws OtherSizeError when there are not `size` bytes, and what `content` throws; then nothing is stored. ServiceUnavailableError (503)
   */
  keepPart(
    key: string,
    id: string,
    part: { readonly number: number; readonly size: number; readonly content: AsyncIterable<Uint8Array> },
  ): Promise<string>
  /** Removes the parts of a file that was not completed. */
  abandonParts(key: string, id: string): Promise<void>
  /** Removes a file; no error when there is none. */
  discard(key: string): Promise<void>
}

export class FileTooLargeError extends Error {}

export class OtherSizeError extends Error {}

export class FileGoneError extends Error {}

/** A form whose parts cannot be distinguished, or that ends too early. */
export class BrokenFormError extends Error {}

export const MIB = 1024 * 1024

/** The settings of the deployment for uploads. */
export interface FileLimitEnvironment {
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

export function fileLimits({ MAX_FILE_UPLOAD_MIB, UPLOAD_QUOTA_MIB }: FileLimitEnvironment): FileLimits {
  return {
    maxFileUploadMib: positive(MAX_FILE_UPLOAD_MIB) ?? DEFAULT_MAX_MIB,
    uploadQuotaMib: positive(UPLOAD_QUOTA_MIB),
  }
}

function positive(setting: string | undefined): number | null {
  const value = Number(setting ?? '')
  return Number.isFinite(value) && value > 0 ? value : null
}

/** Bytes of the head of a picture, in which a colour profile and a preview may come before the size. */
const HEAD_BYTES = 256 * 1024

/** The first bytes of a file, copied while it is read. */
export class FileHead {
  readonly #kept: Uint8Array[] = []
  #length = 0

  /** Yields the file's content, unchanged. */
  async *of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      const wanted = Math.min(chunk.length, HEAD_BYTES - this.#length)
      if (wanted > 0) {
        // A copy, since a view would keep the whole chunk's buffer.
        this.#kept.push(new Uint8Array(chunk.subarray(0, wanted)))
        this.#length += wanted
      }
      yield chunk
    }
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length)
    let at = 0
    for (const part of this.#kept) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }
}
