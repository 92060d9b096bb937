import { batch, effect, type Signal, signal } from '@preact/signals'
import type { Slice } from './state/changes.ts'
import type { ChatState } from './state/chat-state.ts'

/** The state of the page, once a user is logged in. Views read it, actions change it. */
export let state: ChatState

const versions = new Map<Slice, Signal<number>>()
let stopListening: (() => void) | undefined

/** Replaces the state: the room starts with one, and gets a new one when its queue is lost for good. */
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

/**
 * Draws a view again when one of these slices of the state changes: a view calls it for each slice that it
 * shows.
 */
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
 * Watches slices that change many times a second in a large organization: the view is drawn again at most once in an interval.
 */
export function watchPaced(pace: Pace): void {
  pace.version.value
}

export interface Pace {
  readonly version: Signal<number>
}

/** The slices of a throttled view. `ms`: the interval. */
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

/** Returns a number that grows when that slice changes, for data that must be fetched again then. */
export function versionOf(slice: Slice): number {
  watch(slice)
  return versions.get(slice)!.value
}
