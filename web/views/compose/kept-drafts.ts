import { state } from '../../chat.ts'
import type { Conversation } from '../../state/conversation.ts'
import { readStored, store } from '../../ui/stored.ts'

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

function storageKey(key: string): string {
  return `draft ${state.me} ${key}`
}

export function readKept(key: string): KeptDraft | undefined {
  return readStored<KeptDraft>(storageKey(key))
}

export function keep(key: string, draft: KeptDraft): void {
  store(storageKey(key), draft)
}

export function forget(key: string): void {
  localStorage.removeItem(storageKey(key))
}

/** Returns the keys of narrows in which something is kept. */
export function keptKeys(): string[] {
  const prefix = storageKey('')
  return Object.keys(localStorage).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  )
}
