import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/**
 * The list of invitations changed. The event has no content, because not everybody may see all of them.
 * Source: docs/interface/events.md#events-about-the-organization.
 */
export interface InvitesChangedEvent extends LogEvent {
  readonly type: 'invites_changed'
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    invites_changed: InvitesChangedEvent
  }
}

export const invitesChangedEvent = defineEventType<InvitesChangedEvent>({
  type: 'invites_changed',
  schema: v.strictObject({ id: v.number(), type: v.literal('invites_changed') }),
})
