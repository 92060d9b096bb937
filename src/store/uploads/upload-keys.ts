import type { Attachment, UploadedImage } from './attachment-rows.ts'

/** Returns the key of an upload in R2. Its name is not part of it, since it is not known before the file comes. */
export function uploadKey(pathOrDirectory: string): string {
  return `user_uploads/${pathOrDirectory.split('/').slice(0, 3).join('/')}`
}

/** Returns where a copy of a backup has an upload that its organization has deleted. An organization has it at the same key. */
export function uploadKeyInCopy(key: string, copyId: number): string {
  return key.replace(/^user_uploads\/\d+\//, `user_uploads/${copyId}/`)
}

/** Returns the directory of an upload. `fileId`: 32 hexadecimal digits. */
export function uploadDirectory(realmId: number, fileId: string): string {
  return `${realmId}/${fileId.slice(0, 2)}/${fileId}`
}

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

/** A smaller form of uploaded pictures, which is never enlarged or cropped. */
export interface ThumbnailFormat {
  /** Last part of its address. */
  readonly name: string
  /** Pixels. */
  readonly maxWidth: number
  /** Pixels. */
  readonly maxHeight: number
}

/** The available formats, all of them still WebP pictures. Clients use the first one by default. */
export const THUMBNAIL_FORMATS = [
  { name: '840x560.webp', maxWidth: 840, maxHeight: 560 },
  { name: '300x200.webp', maxWidth: 300, maxHeight: 200 },
] as const satisfies readonly ThumbnailFormat[]

export const DEFAULT_THUMBNAIL_FORMAT: ThumbnailFormat = THUMBNAIL_FORMATS[0]

export function findThumbnailFormat(name: string): ThumbnailFormat | undefined {
  return THUMBNAIL_FORMATS.find((format) => format.name === name)
}

/** Whether a picture has smaller forms, which an animation has not: they would be still pictures. */
export function hasThumbnails({ isAnimated }: UploadedImage): boolean {
  return !isAnimated
}

/** Returns the key in R2 of a smaller form of an upload. */
export function thumbnailKey(uploadKey: string, { name }: ThumbnailFormat): string {
  return `${uploadKey}/${name}`
}

/** Returns the key that stands for the smaller forms of an upload in the list of removals. */
export function thumbnailsOf(uploadKey: string): string {
  return `${uploadKey}/`
}

/** Returns all keys of an entry in the list of removals, with a file's smaller forms. */
export function keysToRemove(listed: string): string[] {
  if (!listed.startsWith('user_uploads/')) return [listed]
  const uploadKey = listed.replace(/\/$/, '')
  return [uploadKey, ...THUMBNAIL_FORMATS.map((format) => thumbnailKey(uploadKey, format))]
}
