import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'
import { settingValueFor } from './home-view.ts'

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
