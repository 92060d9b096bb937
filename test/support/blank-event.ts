import type { StoredEvent } from './inside-types.ts'

/** An event with only a type, for tests of the log itself. */
export const BLANK_EVENT = { type: 'typing' } as StoredEvent
