import { state } from '../chat.ts'
import type { Conversation } from '../state/conversation.ts'
import { readStored, store, storedAfter } from '../ui/stored.ts'

/**
 * Changed texts of messages that have not been saved, in this browser: each for the user who writes it. The tabs of the browser show the same
 * one. It ends when it is saved or given up, with its message, at log-out, after two weeks, and when there are too many.
 */
export interface KeptEdit {
  readonly text: string
  /** SHA-256 of the saved text that it changes. */
  readonly base: string | undefined
  /** The message's conversation, in which the text becomes a draft when the message is deleted. */
  readonly where: Conversation | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

const AFTER_MS = 300

let waiting: { readonly key: string; readonly edit: KeptEdit } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function keyOf(id: number | ''): string {
  return `edit ${state.me} ${id}`
}

export function keptEdit(id: number): KeptEdit | undefined {
  keepNow()
  return readStored<KeptEdit>(keyOf(id))
}

/** Keeps a text at the next pause. */
export function keepEdit(id: number, edit: Omit<KeptEdit, 'at'>): void {
  waiting = { key: keyOf(id), edit: { ...edit, at: Date.now() } }
  clearTimeout(timer)
  timer = setTimeout(keepNow, AFTER_MS)
}

function keepNow(): void {
  clearTimeout(timer)
  if (waiting) store(waiting.key, waiting.edit)
  waiting = undefined
}

export function forgetEdit(id: number): void {
  keepNow()
  localStorage.removeItem(keyOf(id))
}

/** Calls the listener when another tab changes the text; without one when it has ended the edit. Returns a function that ends this. */
export function onEditElsewhere(id: number, listener: (kept: KeptEdit | undefined) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== keyOf(id)) return
    clearTimeout(timer)
    waiting = undefined
    listener(readStored<KeptEdit>(key))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Returns the ids of the messages with kept edits. */
export function keptIds(): number[] {
  return storedAfter(keyOf('')).map(Number)
}

/** Ends all edits of the user, at log-out. */
export function forgetEdits(): void {
  for (const id of keptIds()) forgetEdit(id)
}

window.addEventListener('pagehide', keepNow)
