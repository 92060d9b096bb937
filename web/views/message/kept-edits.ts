import { state } from '../../chat.ts'
import { readStored, store } from '../../ui/stored.ts'

/** Changed texts of messages that have not been saved, in this browser: each for the user who writes it. */

interface KeptEdit {
  readonly text: string
}

const AFTER_MS = 300

let waiting: { readonly key: string; readonly text: string } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function keyOf(id: number): string {
  return `edit ${state.me} ${id}`
}

export function keptEdit(id: number): string | undefined {
  keepNow()
  return readStored<KeptEdit>(keyOf(id))?.text
}

/** Keeps a text at the next pause. */
export function keepEdit(id: number, text: string): void {
  waiting = { key: keyOf(id), text }
  clearTimeout(timer)
  timer = setTimeout(keepNow, AFTER_MS)
}

function keepNow(): void {
  clearTimeout(timer)
  if (waiting) store(waiting.key, { text: waiting.text } satisfies KeptEdit)
  waiting = undefined
}

export function forgetEdit(id: number): void {
  keepNow()
  localStorage.removeItem(keyOf(id))
}

window.addEventListener('pagehide', keepNow)
