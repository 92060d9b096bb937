import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

export interface PresentedProfileField {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly hint: string
  /** JSON text, '' for types without. */
  readonly field_data: string
  readonly order: number
  readonly required: boolean
  readonly editable_by_user: boolean
  /** Only when it is. */
  readonly display_in_profile_summary?: true
}

/** The organization's profile fields have changed: all of them, in order. Source: events 5. */
export interface StoredCustomProfileFieldsEvent extends LogEvent {
  readonly type: 'custom_profile_fields'
  readonly fields: readonly PresentedProfileField[]
}

export const customProfileFieldsEvent = defineEventType<StoredCustomProfileFieldsEvent>({
  type: 'custom_profile_fields',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('custom_profile_fields'),
    fields: v.array(
      v.strictObject({
        id: v.number(),
        name: v.string(),
        type: v.number(),
        hint: v.string(),
        field_data: v.string(),
        order: v.number(),
        required: v.boolean(),
        editable_by_user: v.boolean(),
        display_in_profile_summary: v.optional(v.literal(true)),
      }),
    ),
  }),
})
