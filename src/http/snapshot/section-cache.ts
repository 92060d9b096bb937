import { ISOLATE } from '../../core/budgets.ts'
import type { SentSections } from '../../core/sections.ts'

/** Bytes of a section besides its JSON. */
const BESIDES = 300

interface KeptRealm {
  /** The version of each key, the most recently used last. */
  readonly versions: Map<string, number>
  /** The bytes of each version, and the number of keys that have it: classes of viewers mostly see the same. */
  readonly contents: Map<number, { readonly bytes: Uint8Array; keys: number }>
  /** Estimated bytes. */
  size: number
  /** The cached result of `held`, until a section is added or removed. */
  held: Float64Array | undefined
}

const NONE = new Float64Array()

/**
 * Sections as sent by realm objects, up to a limit of bytes. The most recently used ones of an organization stay. When room runs out, the
 * oldest of the organization with the most go. A caller gets a section only if the object named this version in its answer to that caller.
 */
export class SectionCache {
  readonly #limit: number
  readonly #realms = new Map<number, KeptRealm>()
  #size = 0

  constructor(limit = ISOLATE.sections) {
    this.#limit = limit
  }

  /** Estimated bytes of all sections. */
  get size(): number {
    return this.#size
  }

  /** Returns the versions kept of an organization. */
  held(realmId: number): Float64Array {
    const realm = this.#realms.get(realmId)
    if (!realm) return NONE
    realm.held ??= Float64Array.from(realm.contents.keys())
    return realm.held
  }

  find(realmId: number, version: number): Uint8Array | undefined {
    return this.#realms.get(realmId)?.contents.get(version)?.bytes
  }

  /** Marks these versions as just used: they stay longest. */
  noteUse(realmId: number, versions: ReadonlySet<number>): void {
    const realm = this.#realms.get(realmId)
    if (!realm) return
    for (const [key, version] of [...realm.versions]) {
      if (!versions.has(version)) continue
      realm.versions.delete(key)
      realm.versions.set(key, version)
    }
  }

  /** Keeps a section in place of its previous version, unless it is too large. */
  put(realmId: number, key: string, version: number, bytes: Uint8Array): void {
    if (bytes.length + BESIDES > this.#limit) return
    const realm = this.#realms.get(realmId) ?? {
      versions: new Map(),
      contents: new Map(),
      size: 0,
      held: undefined,
    }
    this.#forget(realmId, realm, key)
    const content = realm.contents.get(version)
    const size = content ? BESIDES : BESIDES + bytes.length
    if (content) content.keys += 1
    else realm.contents.set(version, { bytes, keys: 1 })
    realm.versions.set(key, version)
    // The previous section may have been its only one.
    this.#realms.set(realmId, realm)
    realm.held = undefined
    realm.size += size
    this.#size += size
    while (this.#size > this.#limit) this.#dropOldest()
  }

  clear(): void {
    this.#realms.clear()
    this.#size = 0
  }

  #dropOldest(): void {
    let largest: readonly [number, KeptRealm] | undefined
    for (const one of this.#realms) if (!largest || one[1].size > largest[1].size) largest = one
    const [id, realm] = largest!
    const [oldest] = realm.versions.keys()
    this.#forget(id, realm, oldest!)
  }

  #forget(realmId: number, realm: KeptRealm, key: string): void {
    const version = realm.versions.get(key)
    if (version === undefined) return
    realm.versions.delete(key)
    const content = realm.contents.get(version)!
    content.keys -= 1
    if (content.keys === 0) realm.contents.delete(version)
    const size = content.keys === 0 ? BESIDES + content.bytes.length : BESIDES
    realm.held = undefined
    realm.size -= size
    this.#size -= size
    if (realm.versions.size === 0) this.#realms.delete(realmId)
  }
}

/** Yields the sections included in an answer. */
export function* sectionsSent(
  sent: SentSections,
): Generator<{ key: string; version: number; bytes: Uint8Array }> {
  let at = 0
  for (const [place, length] of sent.lengths.entries()) {
    // Copied, since a view would keep all the others in memory.
    const bytes = sent.bytes.slice(at, at + length)
    at += length
    yield { key: sent.keys[place]!, version: sent.versions[place]!, bytes }
  }
}

export const sectionCache = new SectionCache()
