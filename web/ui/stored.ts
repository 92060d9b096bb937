import { fromJson } from '../api/json.ts'

// The page's first script has these functions, so they import nothing large.

/** Returns the value that this browser has stored under a key; undefined if there is none, or it is not JSON. */
export function readStored<Value extends object>(key: string): Value | undefined {
  try {
    return fromJson<Value>(localStorage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

/** Stores a value in this browser. */
export function store(key: string, value: object): void {
  localStorage.setItem(key, JSON.stringify(value))
}

/** Returns what follows the prefix in each stored key that has it. */
export function storedAfter(prefix: string): string[] {
  return Object.keys(localStorage).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  )
}
