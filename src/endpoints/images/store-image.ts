import { Buffer } from 'node:buffer'
import { BadImageError, BadRequestError } from '../../core/errors.ts'
import { type IncomingFile, MIB } from '../../core/files.ts'
import { imageTypeOf, stillGif } from '../../domain/images/image-type.ts'
import { type ImagePlace, imageKey } from '../../domain/images/public-image.ts'
import type { WorkerContext } from '../define-endpoint.ts'

/** Avatars, emoji, icons and logos alike (core-endpoints 1.1). */
const LARGEST_MIB = 5

export interface StoredImage {
  /** Its address. */
  readonly path: string
  /** Of a moving image, the address of one that stands still. */
  readonly stillPath: string | null
}

/**
 * The one file of the request.
 * @throws BadRequestError with `refusal` when there is none, or more than one.
 */
export async function requireOnlyFile(worker: WorkerContext, refusal: string): Promise<IncomingFile> {
  const files: IncomingFile[] = []
  for await (const file of worker.files) if (file.name !== '') files.push(file)
  if (files.length !== 1) throw new BadRequestError(refusal)
  return files[0]!
}

/**
 * Stores an image at its place.
 * @throws BadImageError with `refusal` when the file is no image.
 */
export async function storeImage(
  { stem }: ImagePlace,
  file: IncomingFile,
  { store }: WorkerContext,
  refusal: string,
): Promise<StoredImage> {
  const bytes = await readWhole(file)
  const type = imageTypeOf(bytes)
  if (!type) throw new BadImageError(refusal)
  await keep(store, imageKey(stem), bytes)
  if (!type.isAnimated) return { path: `${stem}.${type.ending}`, stillPath: null }
  await keep(store, imageKey(`${stem}-still`), stillGif(bytes))
  return { path: `${stem}.${type.ending}`, stillPath: `${stem}-still.${type.ending}` }
}

async function keep(store: WorkerContext['store'], key: string, bytes: Uint8Array): Promise<void> {
  async function* content() {
    yield bytes
  }
  await store.keep(key, content(), LARGEST_MIB * MIB)
}

async function readWhole({ content }: IncomingFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > LARGEST_MIB * MIB) {
      throw new BadRequestError(`Uploaded file is larger than the allowed limit of ${LARGEST_MIB} MiB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
