import type { UploadedImage } from './attachment-rows.ts'

/** A smaller form of uploaded pictures: nothing is enlarged or cut off to fit (docs/interface/register.md#settings-of-the-organization-in-it; docs/interface/uploads.md#read-a-file). */
export interface ThumbnailFormat {
  /** Last part of its address. */
  readonly name: string
  /** Pixels. */
  readonly maxWidth: number
  /** Pixels. */
  readonly maxHeight: number
}

/** The formats that can be asked for, all of them WebP that does not move. Clients show the first without asking. */
export const THUMBNAIL_FORMATS = [
  { name: '840x560.webp', maxWidth: 840, maxHeight: 560 },
  { name: '300x200.webp', maxWidth: 300, maxHeight: 200 },
] as const satisfies readonly ThumbnailFormat[]

export const DEFAULT_THUMBNAIL_FORMAT: ThumbnailFormat = THUMBNAIL_FORMATS[0]

export function findThumbnailFormat(name: string): ThumbnailFormat | undefined {
  return THUMBNAIL_FORMATS.find((format) => format.name === name)
}

/** Whether a picture has smaller forms. One that moves is shown as it is: a smaller form would stand still. */
export function hasThumbnails({ type, isAnimated }: UploadedImage): boolean {
  return type !== 'gif' && !isAnimated
}

/** The key in R2 of a smaller form of the upload under a key. */
export function thumbnailKey(uploadKey: string, { name }: ThumbnailFormat): string {
  return `${uploadKey}/${name}`
}

/** The key that stands in the list of removals for the smaller forms of an upload alone. */
export function thumbnailsOf(uploadKey: string): string {
  return `${uploadKey}/`
}

/** Everything that goes with what stands in the list of removals: a file's smaller forms are never left behind. */
export function keysToRemove(listed: string): string[] {
  if (!listed.startsWith('user_uploads/')) return [listed]
  const uploadKey = listed.replace(/\/$/, '')
  return [uploadKey, ...THUMBNAIL_FORMATS.map((format) => thumbnailKey(uploadKey, format))]
}
