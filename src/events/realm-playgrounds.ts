import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

export interface PresentedPlayground {
  readonly id: number
  readonly name: string
  readonly pygments_language: string
  readonly url_template: string
}

/** The organization's playgrounds have changed: all of them. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmPlaygroundsEvent extends LogEvent {
  readonly type: 'realm_playgrounds'
  readonly realm_playgrounds: readonly PresentedPlayground[]
}

export const playgroundSchema = v.strictObject({
  id: v.number(),
  name: v.string(),
  pygments_language: v.string(),
  url_template: v.string(),
})

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_playgrounds: StoredRealmPlaygroundsEvent
  }
}

export const realmPlaygroundsEvent = defineEventType<StoredRealmPlaygroundsEvent>({
  type: 'realm_playgrounds',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('realm_playgrounds'),
    realm_playgrounds: v.array(playgroundSchema),
  }),
})
