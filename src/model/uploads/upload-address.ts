import type { Attachment } from '../../store/uploads/attachment-rows.ts'

/** Address of an upload in an answer. */
export interface UploadAddress {
  readonly url: string
  /** The same address, under its older name. */
  readonly uri: string
  readonly filename: string
}

export function addressOf({ path, name }: Attachment): UploadAddress {
  const url = `/user_uploads/${path}`
  return { url, uri: url, filename: name }
}
