import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { onePresence } from '../../api/shared-answers.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { legacyStatus, modernEntry, PRESENCE } from '../../model/presence/presence-memory.ts'
import { requireUserByEmail } from '../../model/users/read/get-user.ts'
import { requireUser, seesUser } from '../../model/users/visibility/visible-users.ts'
import { insufficientPermission } from '../../rules/role-rules.ts'
import type { User } from '../../store/users/user-rows.ts'

/** Gets a user's presence. Source: docs/interface/users.md#presence. */
export const getUserPresenceEndpoint = defineEndpoint({
  operation: 'get-user-presence',
  method: 'GET',
  path: '/users/:user_id/presence',
  access: 'user',
  params: { user_id: pathInteger },
  returns: onePresence,
  command: { reads: true, apply: getUserPresence },
})

/** Seconds after which a user who was there counts as gone (docs/interface/users.md#presence). */
const OFFLINE_SECONDS = 200

/** Gets a user's presence. Source: docs/interface/users.md#presence. */
function getUserPresence(tx: RealmReads, caller: Caller, { user_id }: { readonly user_id: number }): object {
  return presenceOf(tx, caller, requireUser(tx.sql, user_id), String(user_id))
}

export function getUserPresenceByEmail(
  tx: RealmReads,
  caller: Caller,
  { email }: { readonly email: string },
): object {
  return presenceOf(tx, caller, requireUserByEmail(tx, caller, email), email)
}

/** Returns a user's presence. `asked`: the user as the caller named them. */
function presenceOf(tx: RealmReads, caller: Caller, user: User, asked: string): object {
  if (!user.isActive) throw new BadRequestError('No such user')
  if (user.botType !== null) throw new BadRequestError('Presence is not supported for bot users.')
  if (!seesUser(tx, caller, user)) throw insufficientPermission()
  const presence = tx.recall(PRESENCE).of(user.id)
  if (!presence) throw new BadRequestError(`No presence data for ${asked}`)
  const { status, timestamp } = legacyStatus(presence)
  const isOffline = tx.now - timestamp > OFFLINE_SECONDS
  return {
    server_timestamp: tx.now,
    presence: {
      ...modernEntry(presence, user),
      aggregated: { status: isOffline ? 'offline' : status, timestamp },
      website: { status, timestamp },
    },
  }
}
