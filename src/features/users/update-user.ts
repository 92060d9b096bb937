import * as v from 'valibot'
import { changeOfAccount } from '../../api/audit-rules.ts'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { integer, json, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { profileData } from '../../api/shared-parameters.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { addressProblem } from '../../model/accounts/addresses/confirm-email.ts'
import { giveAddress } from '../../model/accounts/addresses/give-address.ts'
import { giveRole, requireMayGiveRole } from '../../model/accounts/change-user-role.ts'
import { mayChangeEmails } from '../../model/accounts/create-user.ts'
import { changeFullName, requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { changeProfileData } from '../../model/profile-fields/change-profile-data.ts'
import { isEmailAddress } from '../../model/users/addresses/email-rules.ts'
import { requireUserByEmail } from '../../model/users/read/get-user.ts'
import { requireUserToAdminister } from '../../model/users/visibility/visible-users.ts'
import {
  insufficientPermission,
  isAboveMember,
  isAdministrator,
  isOwner,
  ROLE_VALUES,
  type Role,
  requireOwner,
} from '../../rules/roles.ts'
import { requireMayAdministerUser } from '../../rules/user-rules.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'

const changes = {
  full_name: v.optional(textUpTo(NAME_LENGTH)),
  role: v.optional(json(v.pipe(integer, v.picklist(ROLE_VALUES)))),
  new_email: v.optional(textUpTo(NAME_LENGTH)),
  profile_data: v.optional(profileData),
}

/** Whether a change gives someone a role above member, or sends a user's password links to another address. */
const endangersAccounts = ({ role, new_email }: { readonly role?: Role; readonly new_email?: string }) =>
  (role !== undefined && isAboveMember({ role })) || new_email !== undefined

/** Changes an account, for administrators, or for a bot's owner. Source: docs/interface/users.md#change-a-user. */
export const updateUserEndpoint = defineEndpoint({
  operation: 'update-user',
  route: 'PATCH /users/:user_id',
  access: 'user',
  needsProof: endangersAccounts,
  params: { user_id: pathInteger, ...changes },
  apply: (tx, caller, { user_id, ...changes }) =>
    change(tx, caller, requireUserToAdminister(tx.sql, caller, user_id), changes),
  audit: changeOfAccount,
})

/** Changes a user by address. */
export const updateUserByEmailEndpoint = defineEndpoint({
  operation: 'update-user-by-email',
  route: 'PATCH /users/:email',
  access: 'user',
  needsProof: endangersAccounts,
  params: { email: textUpTo(NAME_LENGTH), ...changes },
  apply(tx, caller, { email, ...changes }) {
    const user = requireUserByEmail(tx, caller, email)
    requireMayAdministerUser(caller.actor, user)
    change(tx, caller, user, changes)
  },
  audit: changeOfAccount,
})

function change(tx: RealmTransaction, caller: Caller, user: User, given: ParametersOf<typeof changes>): void {
  const { full_name, role, new_email, profile_data } = given
  if (new_email !== undefined) changeAddress(tx, caller, user, new_email.trim())
  if (role !== undefined && role !== user.role) {
    requireMayGiveRole(tx.sql, caller, user, role)
    giveRole(tx, user, role)
  }
  if (full_name !== undefined && full_name.trim() !== '' && full_name.trim() !== user.fullName) {
    changeFullName(tx, findUser(tx.sql, user.id)!, requireAllowedFullName(tx.sql, full_name, user.id))
  }
  // Bots have no profiles.
  if (profile_data !== undefined && user.botType === null) changeProfileData(tx, caller, user, profile_data)
}

/** Changes a user's address at once: a right that only certain accounts have. */
function changeAddress(tx: RealmTransaction, caller: Caller, user: User, address: string): void {
  if (!mayChangeEmails(caller.user, caller.source) || !isAdministrator(caller.user)) {
    throw new BadRequestError('User not authorized to change user emails')
  }
  // A caller who changes an address could then have a new password sent to it.
  if (isOwner(user)) requireOwner(caller.actor)
  if (user.botType !== null) throw insufficientPermission()
  if (address === user.deliveryEmail) return
  if (!isEmailAddress(address)) throw new BadRequestError('Invalid new email address.')
  const problem = addressProblem(tx.sql, user, address)
  if (problem !== undefined) throw new BadRequestError(`New email value error: ${problem}`)
  giveAddress(tx, user, address, { source: caller.source, by: caller.user })
}
