import { signal } from '@preact/signals'
import { readStored, store } from '../ui/stored.ts'

/** The time at which the shown data was kept, until the server answers; milliseconds since 1970. */
export const shownSince = signal<number | undefined>(undefined)

export const SHARED_KEY = 'shared computer'

/** Whether others use this browser too, so that it keeps nothing beyond the session. */
export const isShared = signal(readStored<{ isOn: boolean }>(SHARED_KEY)?.isOn === true)

/** The numbers of messages of which a user may choose one. */
export const KEPT_MESSAGES = [0, 1_000, 5_000, 20_000] as const

const LIMIT_KEY = 'kept messages'

/** How many messages are kept at most. */
export const keptMessages = signal<number>(readStored<{ limit: number }>(LIMIT_KEY)?.limit ?? 5_000)

export function setKeptMessages(limit: number): void {
  keptMessages.value = limit
  store(LIMIT_KEY, { limit })
}

/** Messages that events have named and that must leave the archive. */
export const toForget = new Set<number>()
