import * as v from 'valibot'
import { getsForm } from '../core/forms-by-level.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeliveryContext, defineEventType, hasCapability } from './event-type.ts'
import { settingValueSchema } from './user-settings.ts'

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

const envelope = { id: v.number(), user: v.string(), setting: settingValueSchema }

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    update_display_settings: StoredUpdateDisplaySettingsEvent
    update_global_notifications: StoredUpdateGlobalNotificationsEvent
  }
}

export const updateDisplaySettingsEvent = defineEventType<StoredUpdateDisplaySettingsEvent>({
  type: 'update_display_settings',
  schema: v.strictObject({
    ...envelope,
    type: v.literal('update_display_settings'),
    setting_name: v.string(),
    language_name: v.optional(v.string()),
  }),
  deliver: (stored, context) => (isWanted(context) ? [{ ...stored }] : []),
})

export const updateGlobalNotificationsEvent = defineEventType<StoredUpdateGlobalNotificationsEvent>({
  type: 'update_global_notifications',
  schema: v.strictObject({
    ...envelope,
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
