import * as v from 'valibot'
import { jsonBoolean } from '../../api/parameter-types.ts'

/** The user object in answers. Source: docs/interface/users.md#the-user-object. */
export const user = v.object({
  user_id: v.number(),
  email: v.string(),
  delivery_email: v.nullable(v.string()),
  full_name: v.string(),
  date_joined: v.string(),
  is_active: v.boolean(),
  is_deleted: v.optional(v.literal(true)),
  is_owner: v.boolean(),
  is_admin: v.boolean(),
  is_guest: v.boolean(),
  is_bot: v.boolean(),
  is_imported_stub: v.boolean(),
  bot_type: v.nullable(v.number()),
  bot_owner_id: v.nullable(v.number()),
  role: v.number(),
  timezone: v.string(),
  avatar_url: v.nullable(v.string()),
  avatar_version: v.number(),
  profile_data: v.optional(
    v.record(v.string(), v.object({ value: v.string(), rendered_value: v.optional(v.string()) })),
  ),
})

/**
 * The form in which users are wanted, in the order in which it is checked
 * (docs/interface/users.md#the-user-object).
 */
export const userView = {
  include_custom_profile_fields: v.optional(
    v.pipe(jsonBoolean, v.description('Include the values of custom profile fields.')),
    'false',
  ),
  client_gravatar: v.optional(
    v.pipe(jsonBoolean, v.description('Send null for a picture whose address the client can compute.')),
    'true',
  ),
}
