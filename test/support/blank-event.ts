import type { StoredEvent } from '../../src/core/realm-transaction.ts'

/** An event that says nothing, for tests of the log itself: only its type is there. */
export const BLANK_EVENT = { type: 'typing' } as unknown as StoredEvent
