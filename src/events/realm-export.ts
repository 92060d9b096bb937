import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** An export for administrators; times in UNIX seconds with fraction. */
export interface PresentedExport {
  readonly id: number
  readonly acting_user_id: number
  readonly export_time: number
  readonly deleted_timestamp: number | null
  readonly failed_timestamp: number | null
  readonly export_url: string | null
  readonly pending: boolean
  /** 1 public, 2 standard. */
  readonly export_type: number
}

/** The event with all exports of the organization, after one of them has changed. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmExportEvent extends LogEvent {
  readonly type: 'realm_export'
  readonly exports: readonly PresentedExport[]
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_export: StoredRealmExportEvent
  }
}

export const realmExportEvent = defineEventType<StoredRealmExportEvent>({
  type: 'realm_export',
  usersChanged: () => [],
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('realm_export'),
    exports: v.array(
      v.strictObject({
        id: v.number(),
        acting_user_id: v.number(),
        export_time: v.number(),
        deleted_timestamp: v.nullable(v.number()),
        failed_timestamp: v.nullable(v.number()),
        export_url: v.nullable(v.string()),
        pending: v.boolean(),
        export_type: v.picklist([1, 2]),
      }),
    ),
  }),
})
