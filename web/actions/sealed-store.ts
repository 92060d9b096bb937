import { fromJson } from '../api/json.ts'
import { api } from './call.ts'
import { isShared, keptMessages } from './offline.ts'

/**
 * What the browser keeps for times without a network, each value encrypted with a key that is made of the session's token: when that is gone,
 * by a log-out or by its end, nobody can read what may be left. Nothing is kept on a shared computer, where the user wants
 * none of it, nor on insecure connections, where browsers cannot encrypt.
 */

const DATABASE = 'parley'
const STORE = 'kept'
/** The name of what is not encrypted: the random part of the key. */
const SALT = 'salt'

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: ArrayBuffer
}

/** The key of the session for which it was made last. */
let made: { readonly token: string; readonly key: Promise<CryptoKey> } | undefined

/** Returns the token of this tab's session; undefined where nothing is kept, or once the browser does not have that session any more. */
export function keepingToken(): string | undefined {
  const { token } = api.session
  const mayKeep =
    token !== '' && token === api.browserApi.csrfToken() && !isShared.value && keptMessages.value > 0
  return mayKeep && crypto.subtle ? token : undefined
}

/** Returns what was kept under a name for this session; undefined if it is of another, or there is none. */
export async function readSealed(name: string): Promise<unknown> {
  const token = keepingToken()
  if (token === undefined) return undefined
  const sealed = (await inStore('readonly', (kept) => kept.get(name))) as Sealed | undefined
  if (!(sealed?.data instanceof ArrayBuffer)) return undefined
  try {
    const { iv, data } = sealed
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyOf(token), data)
    return fromJson(new TextDecoder().decode(plain), revive)
  } catch {
    return undefined
  }
}

/** Keeps a value, which may have maps and sets. Returns its size in bytes; undefined if it may not be kept. */
export async function writeSealed(name: string, value: unknown): Promise<number | undefined> {
  const token = keepingToken()
  if (token === undefined) return undefined
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const plain = new TextEncoder().encode(JSON.stringify(value, plainly))
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(token), plain)
  await inStore('readwrite', (kept) => kept.put({ iv, data } satisfies Sealed, name))
  // Another tab may have ended the session, or declared the computer shared, meanwhile.
  if (keepingToken() === token) return data.byteLength
  await clearSealed()
  return undefined
}

export async function removeSealed(name: string): Promise<void> {
  await inStore('readwrite', (kept) => kept.delete(name))
}

/** Deletes everything that is kept, and with it a part of its key. */
export async function clearSealed(): Promise<void> {
  made = undefined
  await inStore('readwrite', (kept) => kept.clear())
}

/** Whether there is something that this session cannot read. */
export async function isOfOther(name: string): Promise<boolean> {
  const there = await inStore('readonly', (kept) => kept.count(name))
  return there > 0 && (await readSealed(name)) === undefined
}

function keyOf(token: string): Promise<CryptoKey> {
  if (made?.token !== token) made = { token, key: makeKey(token) }
  return made.key
}

async function makeKey(token: string): Promise<CryptoKey> {
  const known = (await inStore('readonly', (kept) => kept.get(SALT))) as Uint8Array<ArrayBuffer> | undefined
  const salt = known ?? crypto.getRandomValues(new Uint8Array(32))
  if (!known) await inStore('readwrite', (kept) => kept.put(salt, SALT))
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(token), 'HKDF', false, [
    'deriveKey',
  ])
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode('kept for offline') }
  return crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** JSON has neither maps nor sets. */
function plainly(_: string, value: unknown): unknown {
  if (value instanceof Map) return { '@': 'map', of: [...value] }
  return value instanceof Set ? { '@': 'set', of: [...value] } : value
}

function revive(_: string, value: unknown): unknown {
  const { '@': kind, of } = (value ?? {}) as { '@'?: string; of?: Iterable<[unknown, unknown]> }
  if (kind === 'map') return new Map(of)
  return kind === 'set' ? new Set(of) : value
}

/** @throws DOMException where the browser keeps nothing, as some private windows do */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (kept: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  try {
    return await new Promise<Result>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}
