import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import {
  mayCreateChannel,
  requireContentToChange,
  requireMayMakeWebPublic,
} from '../../../rules/channel-setting-rules.ts'
import { insufficientPermission } from '../../../rules/role-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { Caller } from '../../caller.ts'
import { creationFacts } from '../visibility/channel-audiences.ts'

/** Parameters of a channel's privacy in a request (docs/interface/channels.md#change-a-channel). */
export interface PrivacyParams {
  readonly is_private?: boolean
  readonly is_web_public?: boolean
  readonly history_public_to_subscribers?: boolean
  readonly is_default_stream?: boolean
}

export type Privacy = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'historyPublicToSubscribers'>

/**
 * Returns the requested privacy, completed where the request leaves something out; undefined for no change.
 * Errors in the order of docs/interface/channels.md#change-a-channel, steps 2 to 5.
 */
export function requireProposedPrivacy(
  tx: RealmReads,
  caller: Caller,
  channel: Channel,
  params: PrivacyParams,
): Privacy | undefined {
  const proposed = propose(channel, params)
  const { isPrivate, isWebPublic, historyPublicToSubscribers } = proposed
  if ((isWebPublic && isPrivate) || (!isPrivate && !historyPublicToSubscribers)) {
    throw new BadRequestError('Invalid parameters')
  }
  if (isPrivate && (params.is_default_stream ?? channel.isDefault)) {
    throw new BadRequestError('A default channel cannot be private.')
  }
  if (!isPrivate && realmProperty(tx.sql, 'moderation_request_channel_id') === channel.id) {
    throw new BadRequestError('Moderation request channel must be private.')
  }
  const isChanged =
    isPrivate !== channel.isPrivate ||
    isWebPublic !== channel.isWebPublic ||
    historyPublicToSubscribers !== channel.historyPublicToSubscribers
  if (isChanged || params.is_private !== undefined) {
    requireContentToChange(caller.actor, channel, isSubscribed(tx.sql, channel.id, caller.user.id))
  }
  if (!isChanged) return undefined
  const facts = creationFacts(tx.sql, caller.source)
  if (isWebPublic && !channel.isWebPublic) requireMayMakeWebPublic(caller.actor, facts)
  if (isPrivate !== channel.isPrivate && !mayCreateChannel(caller.actor, { isPrivate }, facts)) {
    throw insufficientPermission()
  }
  return proposed
}

/**
 * Completes the privacy. A channel that becomes private shows its past only if asked to; a public one always
 * does.
 */
function propose(channel: Channel, params: PrivacyParams): Privacy {
  return {
    isPrivate: params.is_private ?? channel.isPrivate,
    isWebPublic: params.is_web_public ?? channel.isWebPublic,
    historyPublicToSubscribers:
      params.history_public_to_subscribers ??
      (params.is_private === undefined ? channel.historyPublicToSubscribers : !params.is_private),
  }
}
