import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { requireAccess } from '../../permissions/access.ts'
import type { Caller } from '../caller.ts'
import {
  afterJoining,
  type JoinedPart,
  type JoinPlan,
  nextOfJoin,
  type PartlySubscribed,
  type SubscribeResult,
} from './join-plan.ts'
import {
  afterLeaving,
  type LeavePlan,
  type LeftChannels,
  type LeftPart,
  nextOfLeaving,
  resultOfLeaving,
  type UnsubscribeResult,
} from './leave-plan.ts'
import { joinPart, type NamedChannel, subscribeUsers } from './subscribe.ts'
import { leaveFirst, leaveSome, requireMayUnsubscribeAll } from './unsubscribe.ts'

export interface UpdateSubscriptionsParams {
  readonly delete: readonly string[]
  readonly add: readonly NamedChannel[]
}

/**
 * State that a commit leaves for the next: channels to join, or those that are joined, and then those to
 * leave. The Worker has it, and passes a part of it to each commit.
 */
export interface PartlyUpdated {
  readonly rest: {
    readonly add?: JoinPlan | undefined
    readonly added?: SubscribeResult | undefined
    readonly delete: LeavePlan
  }
}

/** What one commit does: it joins channels, or sends the notices about new ones; or leaves channels; or only answers. */
export interface NextOfUpdate {
  readonly part:
    | { readonly add: JoinPlan }
    | { readonly delete: LeavePlan }
    | { readonly added: SubscribeResult; readonly deleted: LeftChannels }
}

/** What it has done, if the change is not over. */
export type UpdatedPart = JoinedPart | PartlySubscribed | LeftPart | { readonly added: SubscribeResult }

export type UpdateResult = SubscribeResult & UnsubscribeResult

/**
 * Joins and leaves channels, thousands in several commits; new ones are public. Everything is allowed before
 * the first of them. Source: docs/interface/subscriptions.md#both-at-once.
 */
export const updateSubscriptions: Command<
  Caller,
  UpdateSubscriptionsParams,
  void,
  UpdateResult | PartlyUpdated
> = {
  apply(tx, caller, params) {
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
    const added = subscribeUsers(tx, caller, joining)
    const leaving = requireMayUnsubscribeAll(tx, caller, { subscriptions: params.delete })
    if ('rest' in added) return { rest: { add: added.rest, delete: leaving } }
    const left = leaveFirst(tx, leaving)
    return 'rest' in left ? { rest: { added, delete: left.rest } } : { ...added, ...left }
  },
}

/** Makes a part of an allowed change. */
export const updateSubscriptionsRest: Command<Caller, NextOfUpdate, void, UpdateResult | UpdatedPart> = {
  apply(tx, caller, { part }) {
    if ('delete' in part) return leaveSome(tx, part.delete)
    if ('added' in part) return { ...part.added, ...resultOfLeaving(part.deleted) }
    const next = joinPart(tx, caller, part.add)
    return 'rest' in next || 'joined' in next ? next : { added: next }
  },
}

/** Returns what the next commit does at most. */
export function nextOfUpdate({ rest: { add, added, delete: leaving } }: PartlyUpdated): NextOfUpdate['part'] {
  if (!added) return { add: nextOfJoin(add!) }
  const isOver = leaving.userIds.length === 0 || leaving.channelIds.length === 0
  return isOver ? { added, deleted: leaving.result } : { delete: nextOfLeaving(leaving) }
}

/** Returns what is left of a plan. */
export function afterUpdating({ rest }: PartlyUpdated, done: UpdatedPart): PartlyUpdated {
  if ('left' in done) return { rest: { ...rest, delete: afterLeaving(rest.delete, done) } }
  if ('added' in done) return { rest: { added: done.added, delete: rest.delete } }
  return { rest: { ...rest, add: 'rest' in done ? done.rest : afterJoining(rest.add!, done) } }
}
