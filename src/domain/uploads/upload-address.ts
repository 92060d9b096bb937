import type { Attachment } from './attachment-rows.ts'

/** The address of an upload, as the answer names it. */
export interface UploadAddress {
  readonly url: string
  /** The same, under its older name. */
  readonly uri: string
  readonly filename: string
}

export function addressOf({ path, name }: Attachment): UploadAddress {
  const url = `/user_uploads/${path}`
  return { url, uri: url, filename: name }
}
