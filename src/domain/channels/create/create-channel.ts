import type { Command } from '../../../core/command.ts'
import { SUBSCRIPTIONS_IN_ONE_COMMIT } from '../../../core/commit-budgets.ts'
import { ApiError } from '../../../core/errors.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Caller } from '../../caller.ts'
import type { JoinedPart, PartlySubscribed } from '../../subscriptions/join-plan.ts'
import { resolvePrincipals } from '../../subscriptions/principals.ts'
import { joinNext, joinPart, type NextOfJoin } from '../../subscriptions/subscribe.ts'
import { requireChannelDescription, requireChannelName } from '../change/channel-text.ts'
import { type Channel, findChannelByName } from '../channel-rows.ts'
import { findVisibleChannel } from '../visibility/find-for-caller.ts'
import { addChannels, type CreationParams, requireCreationSettings, requireMayCreate } from './new-channel.ts'

export interface CreateChannelParams extends CreationParams {
  readonly name: string
  readonly subscribers: readonly number[]
  readonly description: string
  readonly announce: boolean
  readonly send_new_subscription_messages: boolean
}

/** State that a commit leaves for the next: people who have yet to join the channel. */
export interface PartlyCreated extends PartlySubscribed {
  readonly id: number
}

type Created = { readonly id: number } | PartlyCreated

/**
 * Creates one channel, and subscribes the listed users, thousands in several commits; the caller only if
 * listed. Source: docs/interface/channels.md#create-a-channel;
 * docs/interface/channels.md#rights-and-settings-of-a-new-channel.
 */
export const createChannel: Command<Caller, CreateChannelParams, void, Created> = {
  apply(tx, caller, params) {
    const settings = requireCreationSettings(tx, caller, params)
    const description = requireChannelDescription(params.description, 'description')
    const name = requireChannelName(params.name)
    const isTaken = findChannelByName(tx.sql, name) !== undefined
    // Callers without the right to make a channel must not learn of a hidden one.
    if (!isTaken || !findVisibleChannel(tx.sql, caller, { name })) requireMayCreate(tx, caller, params)
    if (isTaken) throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, {}, 409)
    const [channel] = addChannels(tx, caller, [{ name, description }], settings) as [Channel]
    const users = params.subscribers.length > 0 ? resolvePrincipals(tx, caller, params.subscribers) : []
    const created = {
      id: channel.id,
      rest: {
        userIds: users.map(({ id }) => id),
        channels: [{ id: channel.id }],
        createdIds: [channel.id],
        announce: params.announce,
        result: { subscribed: {}, already_subscribed: {} },
      },
    }
    // Looking up thousands of people is enough work for one commit.
    return users.length > SUBSCRIPTIONS_IN_ONE_COMMIT ? created : joinNew(tx, caller, created)
  },
}

/** Subscribes the next part of the listed users. */
export const createChannelRest: Command<
  Caller,
  NextOfJoin & { readonly id: number },
  void,
  Created | JoinedPart
> = {
  apply(tx, caller, { id, part }) {
    const next = joinPart(tx, caller, part)
    if ('joined' in next) return next
    return 'rest' in next ? { id, rest: next.rest } : { id }
  },
}

function joinNew(tx: RealmTransaction, caller: Caller, { id, rest }: PartlyCreated): Created {
  const next = joinNext(tx, caller, rest)
  return 'rest' in next ? { id, rest: next.rest } : { id }
}
