import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import { presences } from '../../api/presence-schemas.ts'
import { mutedUserSchema } from '../../events/muted-users.ts'
import { botSchema, ownBotSchema } from '../../events/realm-bot.ts'
import { userSchema } from '../../events/realm-user.ts'
import { userGroupSchema } from '../../events/user-group.ts'
import { userStatusEntries } from '../../events/user-status.ts'

const { is_active: _isActive, is_system_bot: _isSystemBot, ...person } = userSchema.entries

/** The list that a user is in says whether the user is active. */
const listedUser = v.object(person)
const systemBot = v.object({ ...person, is_active: v.boolean(), is_system_bot: v.literal(true) })

/** Everybody whom the caller may see, and the caller's own account. */
const directory = {
  realm_users: v.array(listedUser),
  realm_non_active_users: v.array(listedUser),
  cross_realm_bots: v.array(systemBot),
  avatar_source: v.picklist(['G', 'U']),
  avatar_url: v.string(),
  avatar_url_medium: v.string(),
  user_id: integer,
  email: v.string(),
  delivery_email: v.string(),
  delivery_email_unconfirmed: v.boolean(),
  delivery_email_refused: v.nullable(v.object({ address: v.string(), since: integer, reason: v.string() })),
  full_name: v.string(),
  is_admin: v.boolean(),
  is_owner: v.boolean(),
  is_moderator: v.boolean(),
  is_guest: v.boolean(),
  can_create_private_streams: v.boolean(),
  can_create_public_streams: v.boolean(),
  can_create_web_public_streams: v.boolean(),
  can_create_streams: v.boolean(),
  can_invite_others_to_realm: v.boolean(),
}

/** Keys about people, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
export const userKeys = {
  muted_users: { muted_users: v.array(mutedUserSchema) },
  presence: {
    presences,
    presence_last_update_id: integer,
    server_timestamp: v.pipe(v.number(), v.description('UNIX seconds with a fraction.')),
  },
  realm_bot: { realm_bots: v.array(v.union([botSchema, ownBotSchema])) },
  realm_user: directory,
  realm_user_groups: { realm_user_groups: v.array(userGroupSchema) },
  user_status: { user_status: v.record(v.string(), v.object(userStatusEntries)) },
}
