import { signal } from '@preact/signals'
import type { ChatState } from '../state/chat-state.ts'
import { type KeptState, stateOfKept } from '../state/kept.ts'
import { readStored } from '../ui/stored.ts'
import { api } from './call.ts'
import { digestOf } from './digest.ts'

/**
 * Keeps data for times without a network: the list of conversations, and messages of those opened last. The data belongs to one session, is
 * removed at log-out, and is never kept on a shared computer.
 */
export interface Kept {
  /** The build of the page that wrote it; another build may have another form of the state. */
  readonly build: string
  /** The digest of the session's token; other sessions cannot read the data. */
  readonly session: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly state: KeptState
}

/** The time at which the shown data was kept, until the server answers; milliseconds since 1970. */
export const shownSince = signal<number | undefined>(undefined)

export const SHARED_KEY = 'shared computer'

/** Whether others use this browser too, so that it keeps nothing beyond the session. */
export const isShared = signal(readStored<{ isOn: boolean }>(SHARED_KEY)?.isOn === true)

const DATABASE = 'parley'
const STORE = 'kept'
export const KEY = 'state'

/** Milliseconds after which kept data is no longer shown, since an unused session ends then. */
const MAX_AGE_MS = 14 * 24 * 60 * 60_000

/** Returns what was kept for this session, by this build of the page. */
export async function readKept(): Promise<{ at: number; state: ChatState } | undefined> {
  const session = await sessionDigest()
  if (session === undefined || isShared.value) return undefined
  const record = (await inStore('readonly', (kept) => kept.get(KEY))) as Kept | undefined
  if (record?.session !== session || record.build !== build()) return undefined
  if (Date.now() - record.at > MAX_AGE_MS) {
    await forgetKept()
    return undefined
  }
  return { at: record.at, state: stateOfKept(record.state) }
}

export async function forgetKept(): Promise<void> {
  await inStore('readwrite', (kept) => kept.clear())
}

/** Returns a name of this build of the page. */
export function build(): string {
  // Their names have digests of all that they import.
  return [...document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]')]
    .map(({ src }) => src)
    .join()
}

/** Returns the digest of this tab's session; undefined once the browser does not have it any more. */
export async function sessionDigest(): Promise<string | undefined> {
  const { token } = api.session
  return token === '' || token !== api.browserApi.csrfToken() ? undefined : digestOf(token)
}

/** @throws DOMException where the browser keeps nothing, as some private windows do */
export async function inStore<Result>(
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
