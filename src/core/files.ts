/** A file that came with a request. */
export interface IncomingFile {
  /** The name as the sender's device has it; may be empty, and may hold a path. */
  readonly name: string
  /** The type as the sender gives it; may be empty. */
  readonly contentType: string
  /** Can be read once. Throws when the request breaks off. */
  readonly content: AsyncIterable<Uint8Array>
}

/** The store of files' bytes. */
export interface FileStore {
  /**
   * Keeps a file under a key, in place of one that was there, and answers its size in bytes. Of what comes in chunks, a part is
   * held in memory: `memoryIsTaken` when the caller has taken a share that is large enough for that (PART_OF_FILE), too.
   * @throws FileTooLargeError beyond `limitBytes`; then nothing is kept. ServiceUnavailableError (503)
   */
  keep(
    key: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    limitBytes: number,
    options?: { readonly memoryIsTaken?: boolean },
  ): Promise<number>
  /**
   * The bytes of a file, as they come.
   * @throws FileGoneError while iterating, when there is none.
   */
  read(key: string): AsyncIterable<Uint8Array>
  /** Removes a file; no error when there is none. */
  discard(key: string): Promise<void>
}

export class FileTooLargeError extends Error {}

export class FileGoneError extends Error {}

/** A form whose parts cannot be told apart, or that ends too early. */
export class BrokenFormError extends Error {}

export const MIB = 1024 * 1024
