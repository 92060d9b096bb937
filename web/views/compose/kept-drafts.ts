import { computed, signal } from '@preact/signals'
import { state } from '../../chat.ts'
import type { Conversation } from '../../state/conversation.ts'
import { readStored, store, storedAfter } from '../../ui/stored.ts'

/** The unsent texts in this browser, by the key of the narrow in which they were written. */

export interface KeptDraft {
  readonly target: Conversation | undefined
  readonly text: string
  /** Id that the server has given it. */
  readonly serverId?: number | undefined
  /** A message of the conversation, which shows where it is after a move. */
  readonly message?: number | undefined
  /** Where it was before it followed a move, by the key of the narrow. */
  readonly from?: string
}

/** Grows with each change, in other tabs too. */
const changes = signal(0)

/** All of them, read again only after a change. */
export const keptDrafts = computed(() => {
  changes.value
  return keptKeys().flatMap((key) => {
    const kept = readKept(key)
    return kept ? [{ key, kept }] : []
  })
})

export function storageKey(key: string): string {
  return `draft ${state.me} ${key}`
}

export function readKept(key: string): KeptDraft | undefined {
  return readStored<KeptDraft>(storageKey(key))
}

export function keep(key: string, draft: KeptDraft): void {
  store(storageKey(key), draft)
  changes.value += 1
}

export function forget(key: string): void {
  localStorage.removeItem(storageKey(key))
  changes.value += 1
}

/** Returns the keys of narrows in which something is kept. */
export function keptKeys(): string[] {
  return storedAfter(storageKey(''))
}

window.addEventListener('storage', () => {
  changes.value += 1
})
