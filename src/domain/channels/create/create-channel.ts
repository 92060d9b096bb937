import { CHANGES_OF_COMMIT } from '../../../core/budgets.ts'
import { ApiError } from '../../../core/errors.ts'
import { commit, type LongCommand } from '../../../core/long-command.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import type { Caller } from '../../caller.ts'
import { joinAndAnnounce } from '../../subscriptions/join-and-announce.ts'
import { announceCreated, type JoinPlan, joinInCommits } from '../../subscriptions/join-in-commits.ts'
import { resolvePrincipals } from '../../subscriptions/principals.ts'
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

/**
 * Creates one channel, and subscribes the listed users, thousands in several commits; the caller only if
 * listed. Source: docs/interface/channels.md#create-a-channel;
 * docs/interface/channels.md#rights-and-settings-of-a-new-channel.
 */
export const createChannel: LongCommand<Caller, CreateChannelParams, { readonly id: number }> = {
  *commits(params) {
    const { id, plan } = yield* commit((tx, caller: Caller) => create(tx, caller, params))
    if (plan) yield* joinInCommits(plan)
    return { id }
  },
}

/** Creates the channel, and subscribes the users if they are few. Otherwise it returns what is left to further commits. */
function create(
  tx: RealmTransaction,
  caller: Caller,
  params: CreateChannelParams,
): { readonly id: number; readonly plan?: JoinPlan } {
  const settings = requireCreationSettings(tx, caller, params)
  const description = requireChannelDescription(params.description, 'description')
  const name = requireChannelName(params.name)
  const isTaken = findChannelByName(tx.sql, name) !== undefined
  // Callers without the right to make a channel must not learn of a hidden one.
  if (!isTaken || !findVisibleChannel(tx.sql, caller, { name })) requireMayCreate(tx, caller, params)
  if (isTaken) throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, {}, 409)
  const [channel] = addChannels(tx, caller, [{ name, description }], settings) as [Channel]
  const users = params.subscribers.length > 0 ? resolvePrincipals(tx, caller, params.subscribers) : []
  const userIds = users.map(({ id }) => id)
  const { announce } = params
  if (userIds.length > CHANGES_OF_COMMIT) {
    return {
      id: channel.id,
      plan: { userIds, channels: [{ id: channel.id }], createdIds: [channel.id], announce },
    }
  }
  joinAndAnnounce(tx, [{ channel, userIds }], caller.user.id)
  announceCreated(tx, caller, announce, [channel])
  return { id: channel.id }
}
