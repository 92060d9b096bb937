import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'
import { settingValueFor } from './home-view.ts'
import { settingValueSchema } from './user-settings.ts'

/** The default settings of new accounts changed. Source: docs/interface/events.md#events-about-the-organization. */
export interface StoredRealmUserSettingsDefaultsEvent extends LogEvent {
  readonly type: 'realm_user_settings_defaults'
  readonly op: 'update'
  readonly property: string
  readonly value: boolean | number | string
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    realm_user_settings_defaults: StoredRealmUserSettingsDefaultsEvent
  }
}

export const realmUserSettingsDefaultsEvent = defineEventType<StoredRealmUserSettingsDefaultsEvent>({
  type: 'realm_user_settings_defaults',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('realm_user_settings_defaults'),
    op: v.literal('update'),
    property: v.string(),
    value: settingValueSchema,
  }),
  deliver: (stored, { options }) => [
    { ...stored, value: settingValueFor(options, stored.property, stored.value) },
  ],
})
