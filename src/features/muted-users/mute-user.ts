import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { muteUser } from './change-muted-users.ts'

/** Mutes a user. Source: docs/interface/users.md#muted-users. */
export const muteUserEndpoint = defineEndpoint({
  operation: 'mute-user',
  method: 'POST',
  path: '/users/me/muted_users/:muted_user_id',
  access: 'user',
  params: { muted_user_id: pathInteger },
  returns: v.object({}),
  command: muteUser,
  audit: 'own',
})
