import * as v from 'valibot'
import { getOwnUser } from '../../domain/users/read/get-own-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { user } from './user-schema.ts'

/** Gets the caller's own account. Source: docs/interface/users.md#get-a-user. */
export const getOwnUserEndpoint = defineEndpoint({
  operation: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  access: 'user',
  params: {},
  returns: v.object({ ...user.entries, max_message_id: v.number() }),
  command: getOwnUser,
})
