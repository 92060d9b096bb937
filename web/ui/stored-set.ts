import { type Signal, signal } from '@preact/signals'
import { readStored, store } from './stored.ts'

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
