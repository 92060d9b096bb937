import { signal } from '@preact/signals'
import { readStored, store } from '../../ui/stored.ts'

/** The folded parts of the inbox, `direct` or the id of a channel; stored by this browser. */
export const foldedParts = signal(new Set(readStored<string[]>('inbox folded')))

export function toggleFoldedPart(part: string): void {
  const next = new Set(foldedParts.value)
  if (!next.delete(part)) next.add(part)
  foldedParts.value = next
  store('inbox folded', [...next])
}
