import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { seesAllUsers } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { realmPermissions } from '../realm/realm-setting-rows.ts'
import { presentUnknownUser } from '../users/present-unknown-user.ts'
import { type PresentedUser, presentUser } from '../users/present-user.ts'
import { listUsers } from '../users/user-rows.ts'
import { visibleUsers } from '../users/visible-users.ts'

interface DirectoryOptions {
  readonly clientGravatar: boolean
  /** Whether the client can do without placeholders for people whom the caller cannot see. */
  readonly mayBeIncomplete: boolean
}

/**
 * All users as the caller sees them, by id. What everybody of a role sees is remembered; a guest who does
 * not see everybody has a list of their own.
 */
export function presentDirectory(
  tx: RealmTransaction,
  caller: Caller,
  { clientGravatar, mayBeIncomplete }: DirectoryOptions,
): PresentedUser[] {
  const { user: reader, actor } = caller
  const view = { realm: tx.realm, clientGravatar, includeProfileData: true }
  const own = presentUser(reader, { ...view, viewer: reader })
  if (seesAllUsers(actor, realmPermissions(tx.sql))) {
    const shared = tx.remember(`users seen by ${reader.role}, ${clientGravatar}`, () =>
      listUsers(tx.sql).map((user) => presentUser(user, { ...view, viewer: { id: 0, role: reader.role } })),
    )
    return shared.map((user) => (user.user_id === reader.id ? own : user))
  }
  const everybody = listUsers(tx.sql)
  const visible = new Set(visibleUsers(tx, caller, everybody))
  const known = mayBeIncomplete ? everybody.filter((user) => visible.has(user)) : everybody
  return known.map((user) =>
    visible.has(user)
      ? presentUser(user, { ...view, viewer: reader })
      : presentUnknownUser(user.id, tx.realm),
  )
}
