import { type Signal, signal } from '@preact/signals'
import { fromJson } from '../api/json.ts'

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

/** A set of names that this browser stores, with the function that adds or removes one. */
export function storedSet(key: string): [Signal<ReadonlySet<string>>, (name: string) => void] {
  const names = signal<ReadonlySet<string>>(new Set(readStored<string[]>(key)))
  const toggle = (name: string) => {
    const next = new Set(names.value)
    if (!next.delete(name)) next.add(name)
    names.value = next
    store(key, [...next])
  }
  return [names, toggle]
}
