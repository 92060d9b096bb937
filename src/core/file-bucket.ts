/** What is asked of a store of files by keys: of R2, which has more, or of D1 in a deployment without a bucket. */
export interface FileBucket {
  head(key: string): Promise<FileFacts | null>
  get(key: string, options?: { readonly range?: FileRange }): Promise<FileContent | null>
  /** Stores bytes, or a stream of a known length. */
  put(key: string, content: Uint8Array | ReadableStream): Promise<unknown>
  /** Deletes files; no error if there are none. */
  delete(keys: string | string[]): Promise<void>
  /** Lists files in the order of their keys. */
  list(options: FileListOptions): Promise<FileList>
  createMultipartUpload(key: string): Promise<FileUpload>
  /** Makes no call. */
  resumeMultipartUpload(key: string, uploadId: string): FileUpload
}

export interface FileRange {
  readonly offset: number
  readonly length: number
}

export interface FileFacts {
  readonly key: string
  readonly size: number
  readonly uploaded: Date
}

export interface FileContent extends FileFacts {
  /** The file, or the range of it. */
  readonly body: ReadableStream
  arrayBuffer(): Promise<ArrayBuffer>
}

export interface FileListOptions {
  readonly prefix: string
  /** A thousand unless given, which is also the most. */
  readonly limit?: number
  readonly cursor?: string
  readonly startAfter?: string
}

export type FileList = { readonly objects: readonly FileFacts[] } & (
  | { readonly truncated: true; readonly cursor: string }
  | { readonly truncated: false }
)

/** A file that is stored in parts, all of equal size but the last. */
export interface FileUpload {
  readonly uploadId: string
  /** Stores a part, in place of an earlier one of this number. */
  uploadPart(number: number, content: ReadableStream | Uint8Array): Promise<UploadedPart>
  abort(): Promise<void>
  /** Joins the parts into the file. */
  complete(parts: UploadedPart[]): Promise<unknown>
}

export interface UploadedPart {
  readonly partNumber: number
  readonly etag: string
}
