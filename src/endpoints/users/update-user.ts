import * as v from 'valibot'
import { updateUser, updateUserByEmail } from '../../domain/users/accounts/update-user.ts'
import { ROLE_VALUES, ROLES } from '../../permissions/roles.ts'
import { changeOfAccount } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { integer, json, pathInteger, textUpTo } from '../parameter-types.ts'
import { profileData } from '../profile-fields/profile-data.ts'

const changes = {
  full_name: v.optional(textUpTo(NAME_LENGTH)),
  role: v.optional(json(v.pipe(integer, v.picklist(ROLE_VALUES)))),
  new_email: v.optional(textUpTo(NAME_LENGTH)),
  profile_data: v.optional(profileData),
}

/** Whether a change lets somebody do everything, or sends the links for somebody's password to another address. */
const endangersAccounts = ({ role, new_email }: { readonly role?: number; readonly new_email?: string }) =>
  role === ROLES.owner || new_email !== undefined

/** Changes an account. Source: docs/interface/users.md#change-a-user. */
export const updateUserEndpoint = defineEndpoint({
  operation: 'update-user',
  method: 'PATCH',
  path: '/users/:user_id',
  access: 'user',
  needsProof: endangersAccounts,
  params: { user_id: pathInteger, ...changes },
  returns: v.object({}),
  command: updateUser,
  audit: changeOfAccount,
})

/** Changes a user by address. */
export const updateUserByEmailEndpoint = defineEndpoint({
  operation: 'update-user-by-email',
  method: 'PATCH',
  path: '/users/:email',
  access: 'user',
  needsProof: endangersAccounts,
  params: { email: textUpTo(NAME_LENGTH), ...changes },
  returns: v.object({}),
  command: updateUserByEmail,
  audit: changeOfAccount,
})
