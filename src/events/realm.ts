import * as v from 'valibot'
import { type DeclaresLevel, getsForm } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, type WireEvent } from './event-type.ts'
import {
  legacyRealmProperties,
  realmPermissions,
  realmPropertiesOfUpdate,
  realmPropertiesOfUpdateDict,
} from './realm-property-schemas.ts'

/**
 * Settings of the organization changed, one alone or several that belong together. Source:
 * docs/interface/events.md#events-about-the-organization.
 */
export type StoredRealmEvent = LogEvent & { readonly type: 'realm' } & (
    | {
        readonly op: 'update'
        readonly property: string
        readonly value: unknown
        /** HTML of the description, beside `description`. */
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

const updates = Object.entries({
  ...realmPropertiesOfUpdate,
  gif_rating_policy: realmPropertiesOfUpdate.giphy_rating,
}).map(([property, value]) => {
  const beside: v.ObjectEntries = property === 'description' ? { rendered_description: v.string() } : {}
  return v.strictObject({
    ...envelope,
    op: v.literal('update'),
    property: v.literal(property),
    value,
    ...beside,
  })
})

/** A property or a permission, with the older value that follows from it. */
const data = v.partial(
  v.strictObject({
    ...realmPropertiesOfUpdateDict,
    ...realmPermissions,
    ...legacyRealmProperties,
    description: v.string(),
    rendered_description: v.string(),
  }),
)

const source = v.picklist(['U', 'G', 'D'])
const pictures = ['icon', 'logo', 'night_logo'].map((name) =>
  v.strictObject({
    ...envelope,
    op: v.literal('update_dict'),
    property: v.literal(name),
    data: v.strictObject({ [`${name}_url`]: v.string(), [`${name}_source`]: source }),
  }),
)

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm: StoredRealmEvent
  }
}

/** Returns the name of a property as a client of its level knows it. */
export function realmPropertyFor(client: DeclaresLevel, name: string): string {
  return name === 'giphy_rating' && getsForm(client, 'gif_rating_policy in events and answers')
    ? 'gif_rating_policy'
    : name
}

function formFor(client: DeclaresLevel, stored: StoredRealmEvent): WireEvent {
  if (stored.op !== 'update') return { ...stored }
  const { type, property, value, rendered_description } = stored
  if (property === 'description' && getsForm(client, 'description by update_dict')) {
    const data = { description: value, rendered_description }
    return { type, op: 'update_dict', property: 'default', data }
  }
  return { ...stored, property: realmPropertyFor(client, property) }
}

export const realmEvent = defineEventType<StoredRealmEvent>({
  type: 'realm',
  schema: v.union([
    v.variant('property', updates),
    v.variant('property', [
      v.strictObject({ ...envelope, op: v.literal('update_dict'), property: v.literal('default'), data }),
      ...pictures,
    ]),
    v.strictObject({ ...envelope, op: v.literal('deactivated'), realm_id: v.number() }),
  ]),
  deliver: (stored, { options }) => [formFor(options, stored)],
})
