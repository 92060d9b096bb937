import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, jsonIds, textUpTo } from '../../api/parameter-types.ts'
import { creationParameters } from '../../api/shared-parameters.ts'
import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { commit } from '../../core/command.ts'
import { ApiError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireChannelDescription, requireChannelName } from '../../model/channels/change/channel-values.ts'
import {
  addChannels,
  requireCreationSettings,
  requireMayCreate,
} from '../../model/channels/create/new-channel.ts'
import { findVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { joinAndAnnounce } from '../../model/subscriptions/join-and-announce.ts'
import { announceCreated, type JoinPlan, joinInCommits } from '../../model/subscriptions/join-in-commits.ts'
import { resolvePrincipals } from '../../model/subscriptions/principals.ts'
import { type Channel, findChannelByName } from '../../store/channels/channel-rows.ts'

/** Creates the channel, and subscribes the users if they are few. Otherwise returns the plan for further commits. */
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

const createChannelParams = {
  name: textUpTo(NAME_LENGTH),
  subscribers: jsonIds,
  description: v.optional(textUpTo(DESCRIPTION_LENGTH), ''),
  announce: v.optional(jsonBoolean, 'false'),
  ...creationParameters,
  send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
}
type CreateChannelParams = ParametersOf<typeof createChannelParams>

/**
 * Creates a channel, and subscribes the listed users, in several commits if there are thousands; the caller only if listed. Source:
 * docs/interface/channels.md#create-a-channel; docs/interface/channels.md#rights-and-settings-of-a-new-channel.
 */
export const createChannelEndpoint = defineEndpoint({
  operation: 'create-channel',
  route: 'POST /channels/create',
  access: 'member',
  growsObject: true,
  params: createChannelParams,
  returns: v.object({ id: v.number() }),
  command: {
    *commits(params) {
      const { id, plan } = yield* commit((tx, caller: Caller) => create(tx, caller, params))
      if (plan) yield* joinInCommits(plan)
      return { id }
    },
  },
  audit: { because: 'A notice in the channel announces it.' },
})
