import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType, hasCapability } from './event-type.ts'

/**
 * A custom emoji for clients; its id is text, as in reactions. Source:
 * docs/interface/register.md#what-the-snapshot-has.
 */
export interface PresentedEmoji {
  readonly id: string
  readonly name: string
  readonly source_url: string
  /** Null unless the emoji is animated. */
  readonly still_url: string | null
  readonly deactivated: boolean
  readonly author_id: number
}

/** An emoji was added or deactivated. Most clients get all emoji, by id. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmEmojiEvent extends LogEvent {
  readonly type: 'realm_emoji'
  readonly op: 'update'
  readonly realm_emoji: Readonly<Record<string, PresentedEmoji>>
  /** The emoji that has changed. */
  readonly changed: PresentedEmoji
}

const customEmoji = v.strictObject({
  id: v.string(),
  name: v.string(),
  source_url: v.string(),
  still_url: v.nullable(v.string()),
  deactivated: v.boolean(),
  author_id: v.number(),
})

export const customEmojiSchema = v.record(v.string(), customEmoji)

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_emoji: StoredRealmEmojiEvent
  }
}

export const realmEmojiEvent = defineEventType<StoredRealmEmojiEvent>({
  type: 'realm_emoji',
  schema: v.union([
    v.strictObject({
      id: v.number(),
      type: v.literal('realm_emoji'),
      op: v.literal('update'),
      realm_emoji: customEmojiSchema,
    }),
    v.strictObject({
      id: v.number(),
      type: v.literal('realm_emoji'),
      op: v.literal('add'),
      emoji: customEmoji,
    }),
    v.strictObject({
      id: v.number(),
      type: v.literal('realm_emoji'),
      op: v.literal('update_one'),
      emoji_id: v.string(),
      data: v.strictObject({ deactivated: v.literal(true) }),
    }),
  ]),
  deliver({ type, op, realm_emoji, changed }, context) {
    if (!hasCapability(context, 'individual_emoji_changes')) return [{ type, op, realm_emoji }]
    if (!changed.deactivated) return [{ type, op: 'add', emoji: changed }]
    return [{ type, op: 'update_one', emoji_id: changed.id, data: { deactivated: true } }]
  },
})

/** The domains in which accounts may have their address changed. Source: docs/interface/events.md#events-about-the-organization. */
export type StoredRealmDomainsEvent = LogEvent & { readonly type: 'realm_domains' } & (
    | {
        readonly op: 'add' | 'change'
        readonly realm_domain: { readonly domain: string; readonly allow_subdomains: boolean }
      }
    | { readonly op: 'remove'; readonly domain: string }
  )

export const realmDomainSchema = v.strictObject({ domain: v.string(), allow_subdomains: v.boolean() })

const realmDomainsEnvelope = { id: v.number(), type: v.literal('realm_domains') }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_domains: StoredRealmDomainsEvent
  }
}

export const realmDomainsEvent = defineEventType<StoredRealmDomainsEvent>({
  type: 'realm_domains',
  schema: v.union([
    v.strictObject({
      ...realmDomainsEnvelope,
      op: v.picklist(['add', 'change']),
      realm_domain: realmDomainSchema,
    }),
    v.strictObject({ ...realmDomainsEnvelope, op: v.literal('remove'), domain: v.string() }),
  ]),
})

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

export interface PresentedProfileField {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly hint: string
  /** JSON text; '' for types without. */
  readonly field_data: string
  readonly order: number
  readonly required: boolean
  readonly editable_by_user: boolean
  readonly use_for_user_matching: boolean
  /** Absent where the field is not displayed. */
  readonly display_in_profile_summary?: true
}

/** The organization's profile fields have changed: all of them, in order. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredCustomProfileFieldsEvent extends LogEvent {
  readonly type: 'custom_profile_fields'
  readonly fields: readonly PresentedProfileField[]
}

const SHORT_TEXT = 1
const PRONOUNS = 8

/** Mobile clients know pronouns from 27.192 on. */
const OLD_MOBILE_CLIENT = /^ZulipMobile\/(?:1?\d|2[0-6]|27\.(?:\d|\d\d|1[0-8]\d|19[01]))(?:\D|$)/

/** Returns the fields as a client can show them: clients that do not know pronouns get short texts. */
export function fieldsForClient(
  fields: readonly PresentedProfileField[],
  userAgent: string,
): readonly PresentedProfileField[] {
  if (!OLD_MOBILE_CLIENT.test(userAgent)) return fields
  return fields.map((field) => (field.type === PRONOUNS ? { ...field, type: SHORT_TEXT } : field))
}

export const profileFieldSchema = v.strictObject({
  id: v.number(),
  name: v.string(),
  type: v.number(),
  hint: v.string(),
  field_data: v.string(),
  order: v.number(),
  required: v.boolean(),
  editable_by_user: v.boolean(),
  use_for_user_matching: v.boolean(),
  display_in_profile_summary: v.optional(v.literal(true)),
})

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    custom_profile_fields: StoredCustomProfileFieldsEvent
  }
}

export const customProfileFieldsEvent = defineEventType<StoredCustomProfileFieldsEvent>({
  type: 'custom_profile_fields',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('custom_profile_fields'),
    fields: v.array(profileFieldSchema),
  }),
  deliver: (stored, { options }) => [
    { ...stored, fields: fieldsForClient(stored.fields, options.userAgent) },
  ],
})
