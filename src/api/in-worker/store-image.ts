import { Buffer } from 'node:buffer'
import { BadImageError, BadRequestError } from '../../core/errors.ts'
import { type IncomingFile, MIB } from '../../core/files.ts'
import { type ImageType, readImageFacts } from '../../images/read-image-facts.ts'
import {
  type ImageEnding,
  imageKey,
  imageStem,
  keysOfImage,
  mediumPath,
} from '../../store/images/public-image.ts'
import type { WorkerContext } from '../worker-context.ts'

/** Limit of avatars, emoji, icons and logos (docs/interface/register.md#settings-of-the-organization-in-it). */
export const MAX_PICTURE_MIB = 5

/** Edge lengths in pixels. */
const SMALL_AVATAR = 100
const MEDIUM_AVATAR = 500
const ICON = 100
const LOGO = { maxWidth: 800, maxHeight: 100, format: 'png' } as const
const EMOJI = { maxWidth: 64, maxHeight: 64, format: 'png' } as const

const ENDINGS: Record<ImageType, ImageEnding> = { png: 'png', jpeg: 'jpg', gif: 'gif', webp: 'webp' }

const NOT_DECODED = 'Could not decode image; did you upload an image file?'

type Store = WorkerContext['store']

/** The parts of the Worker's context that store pictures. */
export type PictureStore = Pick<WorkerContext, 'realmId' | 'fileId' | 'store' | 'images'>

/** Returns the request's only file. @throws BadRequestError with `refusal` if there is none, or more than one. */
export async function requireOnlyFile(worker: WorkerContext, refusal: string): Promise<IncomingFile> {
  const files: IncomingFile[] = []
  for await (const file of worker.files) if (file.name !== '') files.push(file)
  if (files.length !== 1) throw new BadRequestError(refusal)
  return files[0]!
}

/** Stores a user's picture under `fileId`, in two sizes, and returns its path. @throws BadImageError if it cannot be decoded. */
export async function storeAvatar(
  file: IncomingFile,
  { realmId, fileId, store, images }: PictureStore,
): Promise<string> {
  const medium = requireDecoded(await images.cropSquare(await readWhole(file), MEDIUM_AVATAR))
  const small = requireDecoded(await images.cropSquare(medium, SMALL_AVATAR))
  const path = `${imageStem(realmId, fileId)}.png`
  await Promise.all([keep(store, path, small), keep(store, mediumPath(path), medium)])
  return path
}

/** Stores an organization's icon or logo under `fileId`, like `storeAvatar`. */
export async function storeRealmPicture(
  kind: 'icon' | 'logo',
  file: IncomingFile,
  { realmId, fileId, store, images }: PictureStore,
): Promise<string> {
  const bytes = await readWhole(file)
  const fitted = await (kind === 'icon' ? images.cropSquare(bytes, ICON) : images.fitInside(bytes, LOGO))
  const path = `${imageStem(realmId, fileId)}.png`
  await keep(store, path, requireDecoded(fitted))
  return path
}

export interface StoredEmoji {
  /** Path of the picture. */
  readonly path: string
  /** Path of an animation's still picture. */
  readonly stillPath: string | null
}

/**
 * Stores an emoji's picture under `fileId`. An animation is stored unchanged, since nothing here can resize it.
 * @throws BadImageError when it cannot be decoded.
 */
export async function storeEmoji(
  file: IncomingFile,
  { realmId, fileId, store, images }: PictureStore,
): Promise<StoredEmoji> {
  const stem = imageStem(realmId, fileId)
  const bytes = await readWhole(file)
  const facts = readImageFacts(bytes)
  const fitted = requireDecoded(await images.fitInside(bytes, EMOJI), 'Invalid image format')
  if (!facts?.isAnimated) {
    const path = `${stem}.png`
    await keep(store, path, fitted)
    return { path, stillPath: null }
  }
  const path = `${stem}.${ENDINGS[facts.type]}`
  const stillPath = `${stem}-still.png`
  await Promise.all([keep(store, path, bytes), keep(store, stillPath, fitted)])
  return { path, stillPath }
}

/** Discards stored pictures, in all their forms, if the request is refused. */
export async function discardImages({ realmId, fileId, store }: WorkerContext): Promise<void> {
  const keys = keysOfImage(imageKey(imageStem(realmId, fileId)))
  await Promise.all(keys.map((key) => store.discard(key)))
}

function requireDecoded(image: Uint8Array | undefined, refusal = NOT_DECODED): Uint8Array {
  if (!image) throw new BadImageError(refusal)
  return image
}

async function keep(store: Store, path: string, bytes: Uint8Array): Promise<void> {
  await store.keep(imageKey(path), bytes, MAX_PICTURE_MIB * MIB)
}

async function readWhole({ content }: IncomingFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_PICTURE_MIB * MIB) {
      throw new BadRequestError(`Uploaded file is larger than the allowed limit of ${MAX_PICTURE_MIB} MiB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
