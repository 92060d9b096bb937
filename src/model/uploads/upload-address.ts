import type { Attachment, UploadedImage } from '../../store/uploads/attachment-rows.ts'

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

/**
 * A smaller form of uploaded pictures, which is never enlarged or cropped
 * (docs/interface/register.md#settings-of-the-organization-in-it; docs/interface/uploads.md#read-a-file).
 */
export interface ThumbnailFormat {
  /** Last part of its address. */
  readonly name: string
  /** Pixels. */
  readonly maxWidth: number
  /** Pixels. */
  readonly maxHeight: number
}

/** Formats that can be asked for, all of them still WebP pictures. Clients show the first without asking. */
export const THUMBNAIL_FORMATS = [
  { name: '840x560.webp', maxWidth: 840, maxHeight: 560 },
  { name: '300x200.webp', maxWidth: 300, maxHeight: 200 },
] as const satisfies readonly ThumbnailFormat[]

export const DEFAULT_THUMBNAIL_FORMAT: ThumbnailFormat = THUMBNAIL_FORMATS[0]

export function findThumbnailFormat(name: string): ThumbnailFormat | undefined {
  return THUMBNAIL_FORMATS.find((format) => format.name === name)
}

/**
 * Whether a picture has smaller forms. An animation is shown as it is, since a smaller form would stand
 * still.
 */
export function hasThumbnails({ isAnimated }: UploadedImage): boolean {
  return !isAnimated
}

/** Returns the key in R2 of a smaller form of the upload under a key. */
export function thumbnailKey(uploadKey: string, { name }: ThumbnailFormat): string {
  return `${uploadKey}/${name}`
}

/** Returns the key by which the list of removals names only the smaller forms of an upload. */
export function thumbnailsOf(uploadKey: string): string {
  return `${uploadKey}/`
}

/** Returns all keys of an entry of the list of removals, including a file's smaller forms. */
export function keysToRemove(listed: string): string[] {
  if (!listed.startsWith('user_uploads/')) return [listed]
  const uploadKey = listed.replace(/\/$/, '')
  return [uploadKey, ...THUMBNAIL_FORMATS.map((format) => thumbnailKey(uploadKey, format))]
}
