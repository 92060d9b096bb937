import * as v from 'valibot'
import { deactivateUser } from '../../domain/users/accounts/deactivate-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger, trimmedTextUpTo } from '../parameter-types.ts'

/** Limit of the public server. */
const MAX_COMMENT_LENGTH = 2_000

/** Closes an account. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateUserEndpoint = defineEndpoint({
  operation: 'deactivate-user',
  method: 'DELETE',
  path: '/users/:user_id',
  access: 'user',
  params: {
    user_id: pathInteger,
    deactivation_notification_comment: v.optional(
      v.pipe(
        trimmedTextUpTo(MAX_COMMENT_LENGTH),
        v.description('If it is given, a mail with this text is sent to the person.'),
      ),
    ),
  },
  returns: v.object({}),
  command: deactivateUser,
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.user_id },
  }),
})
