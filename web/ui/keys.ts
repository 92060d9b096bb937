import { signal } from '@preact/signals'
import { latinKey } from '../state/pressed-key.ts'
import { t } from '../texts/texts.ts'
import { readStored, store } from './stored.ts'

/** Characters of a stored key's name. */
const MAX_LENGTH = 30

/**
 * Keys that the user presses in place of the usual ones, by the usual one; '' where it does nothing. A key is named as in
 * `KeyboardEvent.key`, with `Ctrl+` before one that is held with Control or Command. Each browser stores its own.
 */
export const changedKeys = signal(storedKeys())

function storedKeys(): Readonly<Record<string, string>> {
  const entries = Object.entries(readStored<Record<string, unknown>>('keys') ?? {})
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length < MAX_LENGTH,
    ),
  )
}

/** Returns the key that is pressed in place of a usual one; '' for none. */
export function keyInPlaceOf(usual: string): string {
  return changedKeys.value[usual] ?? usual
}

/** `key`: the usual one takes the change back; '' leaves none. */
export function changeKey(usual: string, key: string): void {
  const { [usual]: _, ...others } = changedKeys.value
  changedKeys.value = key === usual ? others : { ...others, [usual]: key }
  store('keys', changedKeys.value)
}

export function resetKeys(): void {
  changedKeys.value = {}
  localStorage.removeItem('keys')
}

/** Returns a pressed key as the table of keys names it; undefined for one that is only held with others. */
export function keyOf(event: KeyboardEvent): string | undefined {
  const { ctrlKey, metaKey } = event
  if (HELD.has(event.key)) return undefined
  const key = latinKey(event)
  return ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key
}

const HELD: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'Dead',
  'Process',
])

const SIGNS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': '␣',
  Escape: 'Esc',
}

/** A key that is held, and what is pressed with it. */
const HOLDING = /^(Ctrl|Shift)\+(.+)$/

/** Returns what is written on a key, on keyboards of the page's language. */
export function signOf(key: string): string {
  const [, held, rest = ''] = HOLDING.exec(key) ?? []
  if (held) return `${signOf(held)} ${rest.length === 1 ? rest.toUpperCase() : signOf(rest)}`
  return t.keyCaps[key] ?? SIGNS[key] ?? key
}
