import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import {
  defineEventType,
  defineShapedEventType,
  namesOldType,
  type Receiver,
  type StoredOf,
} from './event-type.ts'

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
    name === 'web_home_view' && value === STORED && getsRepresentation(client, 'web_home_view named recent')
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

export const settingValueSchema = v.union([v.boolean(), v.number(), v.string()])

/** The event that one of the user's settings has changed. Source: docs/interface/events.md#events-about-people. */
export const userSettingsEvent = defineEventType(
  'user_settings',
  [
    {
      op: v.literal('update'),
      property: v.string(),
      value: settingValueSchema,
      /** Name of the language, only with `default_language`. */
      language_name: v.optional(v.string()),
    },
  ],
  (stored, { options }) => [{ ...stored, value: settingValueFor(options, stored.property, stored.value) }],
)
export type StoredUserSettingsEvent = StoredOf<typeof userSettingsEvent>

/** `user`: the user's API e-mail. */
const legacyEntries = { user: v.string(), setting: settingValueSchema }

/**
 * A changed display setting, for clients that do not know `user_settings`. Source:
 * docs/interface/events.md#events; docs/interface/events.md#events-about-people.
 */
export interface StoredUpdateDisplaySettingsEvent extends LogEvent {
  readonly type: 'update_display_settings'
  readonly user: string
  readonly setting_name: string
  readonly setting: boolean | number | string
  readonly language_name?: string
}

export const updateDisplaySettingsEvent = defineShapedEventType<StoredUpdateDisplaySettingsEvent>(
  'update_display_settings',
  [{ ...legacyEntries, setting_name: v.string(), language_name: v.optional(v.string()) }],
  { personal: ownOfLegacy },
)

/** A changed notification setting, for older clients. */
export interface StoredUpdateGlobalNotificationsEvent extends LogEvent {
  readonly type: 'update_global_notifications'
  readonly user: string
  readonly notification_name: string
  readonly setting: boolean | number | string
}

export const updateGlobalNotificationsEvent = defineShapedEventType<StoredUpdateGlobalNotificationsEvent>(
  'update_global_notifications',
  [{ ...legacyEntries, notification_name: v.string() }],
  { personal: ownOfLegacy },
)

/** Returns an empty part for a queue that gets these events. */
function ownOfLegacy({ type }: LogEvent, { queue: { options } }: Receiver): object | undefined {
  const isWanted = namesOldType(options, type) || !getsRepresentation(options, 'no events of old settings')
  return isWanted && !options.capabilities.includes('user_settings_object') ? {} : undefined
}
