import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** Whether a user lets administrators export what is private to them. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmExportConsentEvent extends LogEvent {
  readonly type: 'realm_export_consent'
  readonly user_id: number
  readonly consented: boolean
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_export_consent: StoredRealmExportConsentEvent
  }
}

export const realmExportConsentEvent = defineEventType<StoredRealmExportConsentEvent>({
  type: 'realm_export_consent',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('realm_export_consent'),
    user_id: v.number(),
    consented: v.boolean(),
  }),
})
