import * as v from 'valibot'
import { type DeclaresLevel, getsForm } from '../core/forms-by-level.ts'
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
  readonly export_type: 1 | 2 | 3
  /** Whether it was made on another server: none is here, since no import has exports. */
  readonly export_from_prior_server: boolean
}

/** The types of exports as words. */
export const EXPORT_TYPE_WORDS = { 1: 'public', 2: 'full_with_consent', 3: 'full_without_consent' } as const

export const exportTypeSchema = v.picklist([1, 2, 3, ...Object.values(EXPORT_TYPE_WORDS)])

/** Returns an export as a client of its level knows it. */
export function exportFor(client: DeclaresLevel, { export_type, ...exported }: PresentedExport) {
  return {
    ...exported,
    export_type: getsForm(client, 'types of exports as words') ? EXPORT_TYPE_WORDS[export_type] : export_type,
  }
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
        export_type: exportTypeSchema,
        export_from_prior_server: v.optional(v.boolean()),
      }),
    ),
  }),
  deliver: ({ exports, ...stored }, { options }) => [
    { ...stored, exports: exports.map((exported) => exportFor(options, exported)) },
  ],
})

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
