import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

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
