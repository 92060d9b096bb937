import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/** The domains in which accounts may have their address changed. Source: docs/interface/events.md#events-about-the-organization. */
export type StoredRealmDomainsEvent = LogEvent & { readonly type: 'realm_domains' } & (
    | {
        readonly op: 'add' | 'change'
        readonly realm_domain: { readonly domain: string; readonly allow_subdomains: boolean }
      }
    | { readonly op: 'remove'; readonly domain: string }
  )

export const realmDomainSchema = v.strictObject({ domain: v.string(), allow_subdomains: v.boolean() })

const envelope = { id: v.number(), type: v.literal('realm_domains') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_domains: StoredRealmDomainsEvent
  }
}

export const realmDomainsEvent = defineEventType<StoredRealmDomainsEvent>({
  type: 'realm_domains',
  schema: v.union([
    v.strictObject({
      ...envelope,
      op: v.picklist(['add', 'change']),
      realm_domain: realmDomainSchema,
    }),
    v.strictObject({ ...envelope, op: v.literal('remove'), domain: v.string() }),
  ]),
})
