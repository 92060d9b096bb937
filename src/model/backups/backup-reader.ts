import type { BackupStore } from '../../core/backup-store.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { BackupSealer } from '../../core/sealed-backup.ts'
import { type Manifest, valuesOf } from './backup-form.ts'
import { ChunkStore, expanded, readFirst } from './chunk-store.ts'

/** A backup that is read, one chunk at a time. Each is looked for in all stores, so that one of them may have lost it. */
export class BackupReader {
  readonly manifest: Manifest
  readonly #chunks: ChunkStore

  private constructor(manifest: Manifest, chunks: ChunkStore) {
    this.manifest = manifest
    this.#chunks = chunks
  }

  /** @throws unless the manifest of this key is there, was sealed with this key, and is undamaged */
  static async open(
    stores: readonly BackupStore[],
    sealer: BackupSealer,
    key: string,
  ): Promise<BackupReader> {
    const manifest = await readManifest(stores, sealer, key)
    return new BackupReader(manifest, new ChunkStore(stores, sealer, manifest.organization.realmId))
  }

  /**
   * Returns the lines of a chunk, of the kind that `backup-form.ts` says.
   * @throws if it is missing or damaged
   */
  async lines<Line extends readonly unknown[]>(name: string): Promise<readonly Line[]> {
    const text = new TextDecoder().decode(await this.#chunks.get(name))
    return text.split('\n').map((line) => valuesOf<Line>(line))
  }
}

/** @throws unless it is there, was sealed with this key, and is undamaged */
export function readManifest(
  stores: readonly BackupStore[],
  sealer: BackupSealer,
  key: string,
): Promise<Manifest> {
  return readFirst(stores, key, async (stored) => {
    const bytes = await expanded(await sealer.open(stored))
    return fromJson(new TextDecoder().decode(bytes) as JsonText<Manifest>)
  })
}
