import * as v from 'valibot'
import { muteUser } from '../../domain/muted-users/change-muted-users.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Mutes somebody. Source: docs/interface/users.md#muted-users. */
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
