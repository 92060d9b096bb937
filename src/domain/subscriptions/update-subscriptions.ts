import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireAccess } from '../../permissions/access.ts'
import type { Caller } from '../caller.ts'
import { type NamedChannel, type SubscribeResult, subscribeUsers } from './subscribe.ts'
import { type UnsubscribeResult, unsubscribeUsers } from './unsubscribe.ts'

export interface UpdateSubscriptionsParams {
  readonly delete: readonly string[]
  readonly add: readonly NamedChannel[]
}

/** Joins and leaves channels in one change; new ones are public. Source: docs/interface/subscriptions.md#both-at-once. */
export const updateSubscriptions: Command<
  Caller,
  UpdateSubscriptionsParams,
  void,
  SubscribeResult & UnsubscribeResult
> = {
  apply(tx, caller, params) {
    if (params.add.length === 0 && params.delete.length === 0) {
      throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
    }
    if (params.add.length > 0) {
      requireAccess('member', { role: caller.user.role, isBot: caller.user.botType !== null })
    }
    const added = subscribeUsers(tx, caller, {
      subscriptions: params.add,
      invite_only: false,
      is_web_public: false,
      is_default_stream: false,
      announce: false,
      authorization_errors_fatal: true,
      send_new_subscription_messages: true,
    })
    return { ...added, ...unsubscribeUsers(tx, caller, { subscriptions: params.delete }) }
  },
}
