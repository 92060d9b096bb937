import { batch, effect, type Signal, signal } from '@preact/signals'
import type { Slice } from './state/changes.ts'
import type { ChatState } from './state/chat-state.ts'

/** All that the page knows, once somebody is in. Views read it, actions change it. */
export let state: ChatState

const versions = new Map<Slice, Signal<number>>()
let stopListening: (() => void) | undefined

/** The room begins with a state, and with a new one when its queue is gone for good. */
export function adoptState(next: ChatState): void {
  stopListening?.()
  state = next
  stopListening = next.changes.listen((touched, wholes) =>
    batch(() => {
      for (const slice of touched) {
        const version = versions.get(slice)
        if (version) version.value += 1
      }
      if (wholes.size > 0) for (const version of versions.values()) version.value += 1
    }),
  )
  batch(() => {
    for (const version of versions.values()) version.value += 1
  })
}

/** Draws a view anew when one of these parts of the state changes: a view calls it for each part that it shows. */
export function watch(...slices: readonly Slice[]): void {
  for (const slice of slices) {
    let version = versions.get(slice)
    if (!version) {
      version = signal(0)
      versions.set(slice, version)
    }
    version.value
  }
}

/**
 * Watches as `watch` does what changes many times a second in a large organization: the view is drawn anew at most once in so
 * long.
 */
export function watchPaced(pace: Pace): void {
  pace.version.value
}

export interface Pace {
  readonly version: Signal<number>
}

/** One for each view that is paced. `ms`: at most once in so long. */
export function pacedSlices(slices: readonly Slice[], ms: number): Pace {
  const version = signal(0)
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    watch(...slices)
    if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      version.value += 1
    }, ms)
  })
  return { version }
}

/** Draws what an action has changed. */
export function flush(): void {
  state.changes.flush()
}

/** Grows when that part of the state changes: for what is to be fetched again then. */
export function versionOf(slice: Slice): number {
  watch(slice)
  return versions.get(slice)!.value
}
