import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import { secretText } from '../core/secret-text.ts'
import {
  defineEventType,
  defineShapedEventType,
  hasCapability,
  type OutputOf,
  type StoredOf,
} from './event-type.ts'

/** A custom emoji for clients; its id is text, as in reactions. Source: docs/interface/register.md#what-the-snapshot-has. */
const customEmoji = v.strictObject({
  id: v.string(),
  name: v.string(),
  source_url: v.string(),
  /** Null unless the emoji is animated. */
  still_url: v.nullable(v.string()),
  deactivated: v.boolean(),
  author_id: v.number(),
})
export type PresentedEmoji = OutputOf<typeof customEmoji>

export const customEmojiSchema = v.record(v.string(), customEmoji)

/** An emoji was added or deactivated. Most clients get all emoji, by id. Source: docs/interface/events.md#events-about-the-organization. */
interface StoredRealmEmojiEvent extends LogEvent {
  readonly type: 'realm_emoji'
  readonly op: 'update'
  readonly realm_emoji: Readonly<Record<string, PresentedEmoji>>
  /** The emoji that has changed. */
  readonly changed: PresentedEmoji
}

export const realmEmojiEvent = defineShapedEventType<StoredRealmEmojiEvent>(
  'realm_emoji',
  [
    { op: v.literal('update'), realm_emoji: customEmojiSchema },
    { op: v.literal('add'), emoji: customEmoji },
    {
      op: v.literal('update_one'),
      emoji_id: v.string(),
      data: v.strictObject({ deactivated: v.literal(true) }),
    },
  ],
  {
    deliver({ type, op, realm_emoji, changed }, context) {
      if (!hasCapability(context, 'individual_emoji_changes')) return [{ type, op, realm_emoji }]
      if (!changed.deactivated) return [{ type, op: 'add', emoji: changed }]
      return [{ type, op: 'update_one', emoji_id: changed.id, data: { deactivated: true } }]
    },
  },
)

export const realmDomainSchema = v.strictObject({ domain: v.string(), allow_subdomains: v.boolean() })

/** The domains in which accounts may have their address changed. Source: docs/interface/events.md#events-about-the-organization. */
export const realmDomainsEvent = defineEventType('realm_domains', [
  { op: v.picklist(['add', 'change']), realm_domain: realmDomainSchema },
  { op: v.literal('remove'), domain: v.string() },
])

export const linkifierSchema = v.strictObject({
  id: v.number(),
  pattern: v.string(),
  url_template: v.string(),
  example_input: v.nullable(v.string()),
  reverse_template: v.nullable(v.string()),
  alternative_url_templates: v.array(v.string()),
})
export type PresentedLinkifier = OutputOf<typeof linkifierSchema>

/**
 * The organization's linkifiers have changed: all of them, in order. Clients that do not know URL templates would make wrong links from
 * them. Source: docs/interface/events.md#events-about-the-organization.
 */
export const realmLinkifiersEvent = defineEventType(
  'realm_linkifiers',
  [{ realm_linkifiers: v.array(linkifierSchema) }],
  (stored, context) => [
    hasCapability(context, 'linkifier_url_template') ? { ...stored } : { ...stored, realm_linkifiers: [] },
  ],
)

export const playgroundSchema = v.strictObject({
  id: v.number(),
  name: v.string(),
  pygments_language: v.string(),
  url_template: v.string(),
})
export type PresentedPlayground = OutputOf<typeof playgroundSchema>

/** The organization's playgrounds have changed: all of them. Source: docs/interface/events.md#events-about-the-organization. */
export const realmPlaygroundsEvent = defineEventType('realm_playgrounds', [
  { realm_playgrounds: v.array(playgroundSchema) },
])

export const profileFieldSchema = v.strictObject({
  id: v.number(),
  name: v.string(),
  type: v.number(),
  hint: v.string(),
  field_data: v.pipe(v.string(), v.description('JSON text; empty for types that have no data.')),
  order: v.number(),
  required: v.boolean(),
  editable_by_user: v.boolean(),
  use_for_user_matching: v.boolean(),
  /** Absent where the field is not displayed. */
  display_in_profile_summary: v.optional(v.literal(true)),
})
export type PresentedProfileField = OutputOf<typeof profileFieldSchema>

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

/** The organization's profile fields have changed: all of them, in order. Source: docs/interface/events.md#events-about-the-organization. */
export const customProfileFieldsEvent = defineEventType(
  'custom_profile_fields',
  [{ fields: v.array(profileFieldSchema) }],
  (stored, { options }) => [{ ...stored, fields: fieldsForClient(stored.fields, options.userAgent) }],
)

export const EXPORT_TYPE_WORDS = { 1: 'public', 2: 'full_with_consent', 3: 'full_without_consent' } as const

export const exportTypeSchema = v.picklist([1, 2, 3, ...Object.values(EXPORT_TYPE_WORDS)])

const exportEntries = {
  id: v.number(),
  acting_user_id: v.number(),
  export_time: v.number(),
  deleted_timestamp: v.nullable(v.number()),
  failed_timestamp: v.nullable(v.number()),
  export_url: v.nullable(secretText()),
  pending: v.boolean(),
  export_type: exportTypeSchema,
  /** Whether it was made on another server: none is here, since no import has exports. */
  export_from_prior_server: v.optional(v.boolean()),
}

/** An export for administrators; times in UNIX seconds with fraction. */
export type PresentedExport = Omit<OutputOf<typeof exportEntries>, 'export_type'> & {
  readonly export_type: keyof typeof EXPORT_TYPE_WORDS
}

/**
 * Returns an export as a client of its level knows it. `isProven`: whether the reader may have the address of private data, which can be
 * loaded with it alone.
 */
export function exportFor(
  client: DeclaresLevel,
  { export_type, ...exported }: PresentedExport,
  isProven: boolean,
) {
  return {
    ...exported,
    ...(!isProven && EXPORT_TYPE_WORDS[export_type] !== 'public' && { export_url: null }),
    export_type: getsRepresentation(client, 'types of exports as words')
      ? EXPORT_TYPE_WORDS[export_type]
      : export_type,
  }
}

/** The event with all exports of the organization, after one of them has changed. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmExportEvent extends LogEvent {
  readonly type: 'realm_export'
  readonly exports: readonly PresentedExport[]
}

export const realmExportEvent = defineShapedEventType<StoredRealmExportEvent>(
  'realm_export',
  [{ exports: v.array(v.strictObject(exportEntries)) }],
  {
    deliver: ({ exports, ...stored }, { options }) => [
      {
        ...stored,
        exports: exports.map((exported) => exportFor(options, exported, options.isBrowser !== true)),
      },
    ],
  },
)

/** Whether a user lets administrators export what is private to them. Source: docs/interface/events.md#events-about-the-organization. */
export const realmExportConsentEvent = defineEventType('realm_export_consent', [
  { user_id: v.number(), consented: v.boolean() },
])
export type StoredRealmExportConsentEvent = StoredOf<typeof realmExportConsentEvent>
