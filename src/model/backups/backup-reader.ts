import type { BackupStore } from '../../core/backup-store.ts'
import type { FileBucket } from '../../core/file-bucket.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { BackupSealer } from '../../core/sealed-backup.ts'
import { type FileLine, fileKey, type Manifest, type RowLine, valuesOf } from './backup-form.ts'
import { ChunkStore, DamagedBackupError, expanded, readFirst } from './chunk-store.ts'

/** A backup that is read, one chunk at a time. Each is looked for in all stores, so that one of them may have lost it. */
export class BackupReader {
  readonly manifest: Manifest
  readonly #stores: readonly BackupStore[]
  readonly #sealer: BackupSealer
  readonly #chunks: ChunkStore

  private constructor(manifest: Manifest, stores: readonly BackupStore[], sealer: BackupSealer) {
    this.manifest = manifest
    this.#stores = stores
    this.#sealer = sealer
    this.#chunks = new ChunkStore(stores, sealer, manifest.organization.realmId)
  }

  /** @throws unless the manifest of this key is there, was sealed with this key, and is undamaged */
  static async open(
    stores: readonly BackupStore[],
    sealer: BackupSealer,
    key: string,
  ): Promise<BackupReader> {
    return new BackupReader(await readManifest(stores, sealer, key), stores, sealer)
  }

  /**
   * Returns the lines of a chunk, of the kind that `backup-form.ts` says.
   * @throws if it is missing or damaged
   */
  async lines<Line extends readonly unknown[]>(name: string): Promise<readonly Line[]> {
    const text = new TextDecoder().decode(await this.#chunks.get(name))
    return text.split('\n').map((line) => valuesOf<Line>(line))
  }

  /** Returns what the organization was founded with, and the host that it had. */
  async identity(): Promise<RealmIdentity | undefined> {
    const meta = this.manifest.tables.find(({ name }) => name === 'meta')
    if (!meta) return undefined
    const [key, value] = [meta.columns.indexOf('key'), meta.columns.indexOf('value')]
    for (const chunk of meta.chunks) {
      const row = (await this.lines<RowLine>(chunk)).find((line) => line[key] === 'identity')
      if (row) return fromJson(row[value] as JsonText<RealmIdentity>)
    }
    return undefined
  }

  /** Returns which of these files no store has. `keys` in order, of one folder. */
  async missingFiles(keys: readonly string[]): Promise<readonly string[]> {
    let missing = keys
    for (const store of this.#stores) {
      if (missing.length === 0) break
      const known = await keysBetween(store, missing[0]!, missing.at(-1)!)
      missing = missing.filter((key) => !known.has(fileKey(key)))
    }
    return missing
  }

  /** Copies a file into R2 as it arrives; false if no store has it. @throws if it is damaged */
  async putBack(uploads: FileBucket, [key, size]: FileLine, target = key): Promise<boolean> {
    for (const store of this.#stores) {
      const stream = await store.get(fileKey(key))
      if (!stream) continue
      const fixed = new FixedLengthStream(size)
      const opened = stream.pipeThrough(this.#sealer.openFile()).pipeTo(fixed.writable)
      await Promise.all([
        uploads.put(target, fixed.readable),
        opened.catch((error: unknown) => {
          throw new DamagedBackupError(`The file ${key} cannot be opened: ${error}`)
        }),
      ])
      return true
    }
    return false
  }
}

/** Lists the files that a store has from one of a folder to another of it. */
async function keysBetween(store: BackupStore, first: string, last: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  const folder = fileKey(first.slice(0, first.indexOf('/', first.indexOf('/') + 1) + 1))
  // A list begins after a key: after the first one without its last character are the first one, and perhaps some before it.
  for (let at = fileKey(first.slice(0, -1)); ; ) {
    const { found, hasMore } = await store.list(folder, at)
    for (const { key } of found) keys.add(key)
    at = found.at(-1)?.key ?? ''
    if (!hasMore || at >= fileKey(last)) return keys
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
