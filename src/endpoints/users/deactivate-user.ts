import * as v from 'valibot'
import { deactivateUser } from '../../domain/users/deactivate-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger, text } from '../parameter-types.ts'

/** Closes an account. Source: core-endpoints 12. */
export const deactivateUserEndpoint = defineEndpoint({
  operation: 'deactivate-user',
  method: 'DELETE',
  path: '/users/:user_id',
  access: 'user',
  params: {
    user_id: pathInteger,
    /** Would go into an e-mail; this server sends none. */
    deactivation_notification_comment: v.optional(text),
  },
  returns: v.object({}),
  command: deactivateUser,
})
