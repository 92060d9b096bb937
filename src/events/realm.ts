import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The organization's settings changed, one by one or some that belong together. Source: events 5. */
export type StoredRealmEvent = LogEvent & { readonly type: 'realm' } & (
    | {
        readonly op: 'update'
        readonly property: string
        readonly value: unknown
        /** Beside `description`. */
        readonly rendered_description?: string
      }
    | {
        readonly op: 'update_dict'
        readonly property: 'default' | 'icon' | 'logo' | 'night_logo'
        readonly data: Readonly<Record<string, unknown>>
      }
    | { readonly op: 'deactivated'; readonly realm_id: number }
  )

const envelope = { id: v.number(), type: v.literal('realm') }

export const realmEvent = defineEventType<StoredRealmEvent>({
  type: 'realm',
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.literal('update'),
      property: v.string(),
      value: v.union([v.boolean(), v.number(), v.string(), v.null()]),
      rendered_description: v.optional(v.string()),
    }),
    v.strictObject({
      ...envelope,
      op: v.literal('update_dict'),
      property: v.picklist(['default', 'icon', 'logo', 'night_logo']),
      data: v.record(v.string(), v.unknown()),
    }),
    v.strictObject({ ...envelope, op: v.literal('deactivated'), realm_id: v.number() }),
  ]),
})
