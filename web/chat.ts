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

/** To be called by a view for each part of the state that it shows: it is drawn anew when that part changes. */
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

/** As `watch`, for what changes many times a second in a large organization: drawn anew at most once in so long. */
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

/** What an action has changed is drawn. */
export function flush(): void {
  state.changes.flush()
}

/** Grows when that part of the state changes: for what is to be fetched again then. */
export function versionOf(slice: Slice): number {
  watch(slice)
  return versions.get(slice)!.value
}
