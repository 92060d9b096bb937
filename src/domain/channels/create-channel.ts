import type { Command } from '../../core/command.ts'
import { ApiError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { joinAndAnnounce } from '../subscriptions/join-and-announce.ts'
import { resolvePrincipals } from '../subscriptions/principals.ts'
import { announceNewChannels, noticeCreated } from './channel-notices.ts'
import { findChannelByName } from './channel-rows.ts'
import { requireChannelDescription, requireChannelName } from './channel-text.ts'
import { findVisibleChannel } from './find-for-caller.ts'
import { addChannel, type CreationParams, requireCreationSettings, requireMayCreate } from './new-channel.ts'

export interface CreateChannelParams extends CreationParams {
  readonly name: string
  readonly subscribers: readonly number[]
  readonly description: string
  readonly announce: boolean
  readonly send_new_subscription_messages: boolean
}

/**
 * Creates one channel, and subscribes those who are listed: the caller, too, only then.
 * Source: docs/interface/channels.md#create-a-channel; docs/interface/channels.md#rights-and-settings-of-a-new-channel.
 */
export const createChannel: Command<Caller, CreateChannelParams, void, { id: number }> = {
  apply(tx, caller, params) {
    const settings = requireCreationSettings(tx, caller, params)
    const description = requireChannelDescription(params.description, 'description')
    const name = requireChannelName(params.name)
    const isTaken = findChannelByName(tx.sql, name) !== undefined
    // Whoever may make no channel is not to learn of one that is hidden from them.
    if (!isTaken || !findVisibleChannel(tx.sql, caller, { name })) requireMayCreate(tx, caller, params)
    if (isTaken) throw new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, {}, 409)
    const channel = addChannel(tx, caller, name, description, settings)
    const users = params.subscribers.length > 0 ? resolvePrincipals(tx, caller, params.subscribers) : []
    joinAndAnnounce(tx, [{ channel, userIds: users.map(({ id }) => id) }])
    if (params.announce) announceNewChannels(tx, caller, [channel])
    noticeCreated(tx, caller, channel)
    return { id: channel.id }
  },
}
