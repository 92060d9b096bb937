import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, hasCapability } from './event-type.ts'

export interface PresentedLinkifier {
  readonly id: number
  readonly pattern: string
  readonly url_template: string
  readonly example_input: string | null
  readonly reverse_template: string | null
  readonly alternative_url_templates: readonly string[]
}

/** The organization's linkifiers have changed: all of them, in order. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmLinkifiersEvent extends LogEvent {
  readonly type: 'realm_linkifiers'
  readonly realm_linkifiers: readonly PresentedLinkifier[]
}

export const linkifierSchema = v.strictObject({
  id: v.number(),
  pattern: v.string(),
  url_template: v.string(),
  example_input: v.nullable(v.string()),
  reverse_template: v.nullable(v.string()),
  alternative_url_templates: v.array(v.string()),
})

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_linkifiers: StoredRealmLinkifiersEvent
  }
}

export const realmLinkifiersEvent = defineEventType<StoredRealmLinkifiersEvent>({
  type: 'realm_linkifiers',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('realm_linkifiers'),
    realm_linkifiers: v.array(linkifierSchema),
  }),
  /** Clients that do not know URL templates would make wrong links from them. */
  deliver(stored, context) {
    if (hasCapability(context, 'linkifier_url_template')) return [{ ...stored }]
    return [{ ...stored, realm_linkifiers: [] }]
  },
})
