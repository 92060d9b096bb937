import * as v from 'valibot'
import { deactivateUser } from '../../domain/users/accounts/deactivate-user.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { json, pathInteger, trimmedTextUpTo } from '../parameter-types.ts'

/** Limit of the public server. */
const MAX_COMMENT_LENGTH = 2_000

const flag = v.optional(v.boolean(), false)

/** Closes an account. Source: docs/interface/users.md#close-and-open-an-account. */
export const deactivateUserEndpoint = defineEndpoint({
  operation: 'deactivate-user',
  method: 'DELETE',
  path: '/users/:user_id',
  access: 'user',
  needsProof: ({ actions }) => actions !== undefined && Object.values(actions).some((isWanted) => isWanted),
  params: {
    user_id: pathInteger,
    deactivation_notification_comment: v.optional(
      v.pipe(
        trimmedTextUpTo(MAX_COMMENT_LENGTH),
        v.description('If it is given, a mail with this text is sent to the person.'),
      ),
    ),
    actions: v.optional(
      v.pipe(
        json(
          v.object({
            delete_profile: flag,
            delete_public_channel_messages: flag,
            delete_private_channel_messages: flag,
            delete_direct_messages: flag,
          }),
        ),
        v.description('What is deleted of the account and its bots.'),
      ),
    ),
  },
  returns: v.object({}),
  command: deactivateUser,
  audit: ({ params }) => ({
    action: 'user_deactivated',
    details: { user_id: params.user_id, ...params.actions },
  }),
})
