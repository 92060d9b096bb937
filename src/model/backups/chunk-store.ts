import type { BackupStore } from '../../core/backup-store.ts'
import { type BackupSealer, sealedSize } from '../../core/sealed-backup.ts'
import { chunkFolder } from './backup-form.ts'

/** What was stored, in bytes as they are stored. */
export interface StoredPart {
  readonly name: string
  readonly size: number
  /** Whether a store did not have it. */
  readonly isSent: boolean
}

/** The chunks of one organization's backups: compressed, sealed, and stored once whatever number of backups has them. */
export class ChunkStore {
  readonly #stores: readonly BackupStore[]
  readonly #sealer: BackupSealer
  readonly #folder: string

  constructor(stores: readonly BackupStore[], sealer: BackupSealer, realmId: number) {
    this.#stores = stores
    this.#sealer = sealer
    this.#folder = chunkFolder(realmId)
  }

  async put(content: Uint8Array<ArrayBuffer>): Promise<StoredPart> {
    const name = await this.#sealer.nameOf(content)
    const key = `${this.#folder}${name}`
    const sizes = await Promise.all(this.#stores.map((store) => store.sizeOf(key)))
    const known = sizes.find((size) => size !== undefined)
    if (known !== undefined && !sizes.includes(undefined)) return { name, size: known, isSent: false }
    const sealed = await this.#sealer.seal(await compressed(content))
    for (const [at, store] of this.#stores.entries())
      if (sizes[at] === undefined) await store.put(key, sealed, sealed.length)
    return { name, size: sealed.length, isSent: true }
  }

  /** @throws if no store has it as it was stored */
  async get(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return readFirst(this.#stores, `${this.#folder}${name}`, async (stored) => {
      const content = await expanded(await this.#sealer.open(stored))
      if (!(await this.#sealer.isName(name, content)))
        throw new Error(`The chunk ${name} has another content`)
      return content
    })
  }

  /** Stores a file as it arrives, sealed. */
  async putFile(store: BackupStore, key: string, content: ReadableStream, size: number): Promise<number> {
    const stored = sealedSize(size)
    const fixed = new FixedLengthStream(stored)
    const piped = content.pipeThrough(this.#sealer.sealFile()).pipeTo(fixed.writable)
    await Promise.all([store.put(key, fixed.readable, stored), piped])
    return stored
  }
}

/** Thrown where a part of a backup is in no store, or is not what was stored. */
export class DamagedBackupError extends Error {}

/**
 * Reads something from the first of the stores that has it undamaged.
 * @throws DamagedBackupError if none has; what a store has thrown if one could not be asked
 */
export async function readFirst<Value>(
  stores: readonly BackupStore[],
  key: string,
  read: (stored: Uint8Array<ArrayBuffer>) => Promise<Value>,
): Promise<Value> {
  let failure: unknown
  let damage = `${key} is missing`
  for (const store of stores) {
    const stored = await store
      .get(key)
      .then((stream) => stream && bytesOf(stream))
      .catch((error: unknown) => {
        failure = error
      })
    if (!stored) continue
    try {
      return await read(stored)
    } catch (error) {
      damage = `${key} cannot be opened: ${error instanceof Error ? error.message : 'another key?'}`
    }
  }
  throw failure ?? new DamagedBackupError(damage)
}

export async function bytesOf(stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

export function compressed(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return bytesOf(new Blob([content]).stream().pipeThrough(new CompressionStream('gzip')))
}

export function expanded(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return bytesOf(new Blob([content]).stream().pipeThrough(new DecompressionStream('gzip')))
}
