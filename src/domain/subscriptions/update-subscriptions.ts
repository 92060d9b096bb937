import type { Command } from '../../core/command.ts'
import { CHANNELS_IN_ONE_COMMIT } from '../../core/commit-budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { requireAccess } from '../../permissions/access.ts'
import type { Caller } from '../caller.ts'
import { type FoundInTurns, findInTurns } from '../channels/visibility/find-for-caller.ts'
import {
  joinNext,
  type NamedChannel,
  namesOf,
  type PartlySubscribed,
  type SubscribeResult,
  subscribeUsers,
} from './subscribe.ts'
import {
  leaveInParts,
  type PartlyUnsubscribed,
  requireMayUnsubscribeAll,
  type UnsubscribeResult,
} from './unsubscribe.ts'

export interface UpdateSubscriptionsParams {
  readonly delete: readonly string[]
  readonly add: readonly NamedChannel[]
}

/**
 * State that a commit leaves for the next: channels to join, or those that are joined, and then those to
 * leave.
 */
export interface PartlyUpdated {
  readonly rest: {
    readonly add?: PartlySubscribed['rest'] | undefined
    readonly added?: SubscribeResult | undefined
    readonly delete: PartlyUnsubscribed['rest']
  }
}

interface Found {
  readonly add: FoundInTurns | undefined
  readonly delete: FoundInTurns | undefined
}

type Updated = (SubscribeResult & UnsubscribeResult) | PartlyUpdated

/**
 * Joins and leaves channels, thousands in several commits; new ones are public. Everything is allowed before
 * the first of them. Source: docs/interface/subscriptions.md#both-at-once.
 */
export const updateSubscriptions: Command<Caller, UpdateSubscriptionsParams, Found, Updated> = {
  async load({ walks }, view, _caller, params) {
    const add = await findInTurns(walks, view, namesOf(params.add))
    return { add, delete: await findInTurns(walks, view, params.delete) }
  },
  apply(tx, caller, params, found) {
    if (params.add.length === 0 && params.delete.length === 0) {
      throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
    }
    if (params.add.length > 0) {
      requireAccess('member', { role: caller.user.role, isBot: caller.user.botType !== null })
    }
    const joining = {
      subscriptions: params.add,
      invite_only: false,
      is_web_public: false,
      is_default_stream: false,
      announce: false,
      authorization_errors_fatal: true,
      send_new_subscription_messages: true,
    }
    const added = subscribeUsers(tx, caller, joining, found.add)
    const leaving = requireMayUnsubscribeAll(tx, caller, { subscriptions: params.delete }, found.delete)
    if ('rest' in added) return { rest: { add: added.rest, delete: leaving } }
    // Looking up thousands of names is enough work for one commit.
    const areMany = leaving.channelIds.length > CHANNELS_IN_ONE_COMMIT
    return areMany ? { rest: { added, delete: leaving } } : leaveAfter(tx, added, leaving)
  },
}

/** Makes the next part of an allowed change. */
export const updateSubscriptionsRest: Command<Caller, PartlyUpdated, void, Updated> = {
  apply(tx, caller, { rest: { add, added, delete: leaving } }) {
    if (added) return leaveAfter(tx, added, leaving)
    const next = joinNext(tx, caller, add!)
    return { rest: 'rest' in next ? { add: next.rest, delete: leaving } : { added: next, delete: leaving } }
  },
}

function leaveAfter(
  tx: RealmTransaction,
  added: SubscribeResult,
  leaving: PartlyUnsubscribed['rest'],
): Updated {
  const left = leaveInParts(tx, leaving)
  return 'rest' in left ? { rest: { added, delete: left.rest } } : { ...added, ...left }
}
