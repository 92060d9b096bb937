import * as v from 'valibot'
import { type DeclaresLevel, getsForm } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineEventType, hasCapability } from './event-type.ts'

/** The recent conversations as `web_home_view`, as it is stored. Both words are accepted; which is sent depends on the client's level. */
const STORED = 'recent_topics'
export const NEWER_RECENT_VIEW = 'recent'

/** Returns the stored word; other values as they are. */
export function storedHomeView(value: unknown): unknown {
  return value === NEWER_RECENT_VIEW ? STORED : value
}

/** Returns a setting's value as a client knows it. */
export function settingValueFor<Value>(
  client: DeclaresLevel,
  name: string,
  value: Value,
): Value | typeof NEWER_RECENT_VIEW {
  const isRenamed =
    name === 'web_home_view' && value === STORED && getsForm(client, 'web_home_view named recent')
  return isRenamed ? NEWER_RECENT_VIEW : value
}

/** Returns settings as a client knows them. */
export function settingsFor(
  client: DeclaresLevel,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, settingValueFor(client, name, value)]),
  )
}

/** The event that one of the user's settings has changed. Source: docs/interface/events.md#events-about-people. */
export interface StoredUserSettingsEvent extends LogEvent {
  readonly type: 'user_settings'
  readonly op: 'update'
  readonly property: string
  readonly value: boolean | number | string
  /** Name of the language, only beside `default_language`. */
  readonly language_name?: string
}

export const settingValueSchema = v.union([v.boolean(), v.number(), v.string()])

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    user_settings: StoredUserSettingsEvent
  }
}

export const userSettingsEvent = defineEventType<StoredUserSettingsEvent>({
  type: 'user_settings',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('user_settings'),
    op: v.literal('update'),
    property: v.string(),
    value: settingValueSchema,
    language_name: v.optional(v.string()),
  }),
  deliver: (stored, { options }) => [
    { ...stored, value: settingValueFor(options, stored.property, stored.value) },
  ],
})

type SettingValue = boolean | number | string

/**
 * A changed display setting, for clients that do not know `user_settings`. Source:
 * docs/interface/events.md#events; docs/interface/events.md#events-about-people.
 */
export interface StoredUpdateDisplaySettingsEvent extends LogEvent {
  readonly type: 'update_display_settings'
  /** The user's API e-mail. */
  readonly user: string
  readonly setting_name: string
  readonly setting: SettingValue
  readonly language_name?: string
}

/** A changed notification setting, for older clients. */
export interface StoredUpdateGlobalNotificationsEvent extends LogEvent {
  readonly type: 'update_global_notifications'
  readonly user: string
  readonly notification_name: string
  readonly setting: SettingValue
}

const legacySettingsEnvelope = { id: v.number(), user: v.string(), setting: settingValueSchema }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    update_display_settings: StoredUpdateDisplaySettingsEvent
    update_global_notifications: StoredUpdateGlobalNotificationsEvent
  }
}

export const updateDisplaySettingsEvent = defineEventType<StoredUpdateDisplaySettingsEvent>({
  type: 'update_display_settings',
  schema: v.strictObject({
    ...legacySettingsEnvelope,
    type: v.literal('update_display_settings'),
    setting_name: v.string(),
    language_name: v.optional(v.string()),
  }),
  deliver: (stored, context) => (isWanted(context) ? [{ ...stored }] : []),
})

export const updateGlobalNotificationsEvent = defineEventType<StoredUpdateGlobalNotificationsEvent>({
  type: 'update_global_notifications',
  schema: v.strictObject({
    ...legacySettingsEnvelope,
    type: v.literal('update_global_notifications'),
    notification_name: v.string(),
  }),
  deliver: (stored, context) => (isWanted(context) ? [{ ...stored }] : []),
})

function isWanted(context: DeliveryContext): boolean {
  return (
    !hasCapability(context, 'user_settings_object') && !getsForm(context.options, 'no events of old settings')
  )
}
