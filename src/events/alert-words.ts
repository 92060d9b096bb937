import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The event with all of the user's alert words, after some were added or removed. Source: docs/interface/events.md#events; docs/interface/events.md#events-about-people. */
export interface StoredAlertWordsEvent extends LogEvent {
  readonly type: 'alert_words'
  readonly alert_words: readonly string[]
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    alert_words: StoredAlertWordsEvent
  }
}

export const alertWordsEvent = defineEventType<StoredAlertWordsEvent>({
  type: 'alert_words',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('alert_words'),
    alert_words: v.array(v.string()),
  }),
})
