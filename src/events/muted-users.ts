import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** Everybody whom the user has muted, with the time in UNIX seconds. Source: docs/interface/events.md#events-about-people. */
export interface StoredMutedUsersEvent extends LogEvent {
  readonly type: 'muted_users'
  readonly muted_users: readonly { readonly id: number; readonly timestamp: number }[]
}

export const mutedUserSchema = v.strictObject({ id: v.number(), timestamp: v.number() })

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    muted_users: StoredMutedUsersEvent
  }
}

export const mutedUsersEvent = defineEventType<StoredMutedUsersEvent>({
  type: 'muted_users',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('muted_users'),
    muted_users: v.array(mutedUserSchema),
  }),
})
