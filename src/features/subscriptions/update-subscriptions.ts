import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { jsonNames } from '../../api/parameter-types.ts'
import { commit } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireAccess } from '../../rules/access.ts'
import { beginSubscribing, endOfSubscribing } from './subscribe.ts'
import { channelsToJoin, namesByUser } from './subscription-parameters.ts'
import {
  beginLeaving,
  endOfLeaving,
  requireMayUnsubscribeAll,
  type UnsubscribeResult,
} from './unsubscribe.ts'

const updateSubscriptionsParams = {
  delete: v.optional(jsonNames, '[]'),
  add: v.optional(channelsToJoin, '[]'),
}
type UpdateSubscriptionsParams = ParametersOf<typeof updateSubscriptionsParams>

const NOBODY_LEFT: UnsubscribeResult = { removed: [], not_removed: [] }

/** Checks everything, and makes the change if it fits into one commit. */
function begin(tx: RealmTransaction, caller: Caller, params: UpdateSubscriptionsParams) {
  if (params.add.length === 0 && params.delete.length === 0) {
    throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
  }
  if (params.add.length > 0) {
    requireAccess('member', { role: caller.user.role, isBot: caller.user.botType !== null })
  }
  const joining = beginSubscribing(tx, caller, {
    subscriptions: params.add,
    invite_only: false,
    is_web_public: false,
    is_default_stream: false,
    announce: false,
    authorization_errors_fatal: true,
    send_new_subscription_messages: true,
  })
  const leaving = requireMayUnsubscribeAll(tx, caller, { subscriptions: params.delete })
  return { joining, leaving: 'plan' in joining ? leaving : beginLeaving(tx, leaving) }
}

/**
 * Joins and leaves channels, in several commits if there are thousands; new ones are public. Everything is checked before the first commit.
 * Source: docs/interface/subscriptions.md#both-at-once.
 */
export const updateSubscriptionsEndpoint = defineEndpoint({
  operation: 'update-subscriptions',
  route: 'PATCH /users/me/subscriptions',
  access: 'user',
  params: updateSubscriptionsParams,
  returns: v.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    removed: v.array(v.string()),
    not_removed: v.array(v.string()),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  command: {
    *commits(params) {
      const { joining, leaving } = yield* commit((tx, caller: Caller) => begin(tx, caller, params))
      const joined = yield* endOfSubscribing(joining)
      return { ...joined, ...(leaving.channelIds.length === 0 ? NOBODY_LEFT : yield* endOfLeaving(leaving)) }
    },
  },
  audit: 'own',
})
