import type { ChannelProperties } from '../core/channel-properties.ts'
import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './access.ts'
import { type ChannelPermissions, hasChannelGrant, hasRealmGrant, type RealmPermissions } from './grants.ts'
import { sameGroupSetting } from './group-setting-values.ts'
import { channelGroupSetting } from './group-settings.ts'
import { inGroupSetting } from './in-group.ts'
import { insufficientPermission, isAdministrator, isGuest, isModerator } from './roles.ts'
import { systemGroupId } from './system-groups.ts'

/**
 * Rules for seeing, reading, posting in and administering a channel. Source: docs/interface/access.md#channels. A hidden channel looks like
 * one that does not exist.
 */
export interface ChannelFacts {
  readonly id: number
  readonly name: string
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** False only in private channels with protected history. */
  readonly historyPublicToSubscribers: boolean
  readonly isArchived: boolean
  readonly settings: ChannelPermissions
  readonly properties: ChannelProperties
}

/** A bot's owner, on whose behalf the bot may post where it may not itself. */
export interface BotOwnerFacts {
  readonly actor: Actor
  readonly isSubscribed: boolean
}

/** Whether the actor may know the channel, its settings and its subscribers. */
export function mayAccessChannelMetadata(
  actor: Actor,
  channel: ChannelFacts,
  isSubscribed: boolean,
): boolean {
  if (mayAccessChannelContent(actor, channel, isSubscribed)) return true
  return mayAdministerChannel(actor, channel)
}

/** Whether the actor may read its messages and subscribe. Administrators have no special right in private channels. */
export function mayAccessChannelContent(actor: Actor, channel: ChannelFacts, isSubscribed: boolean): boolean {
  if (channel.isWebPublic || isSubscribed) return true
  if (isGuest(actor)) return false
  return !channel.isPrivate || isGrantedContent(actor, channel)
}

/** Whether the actor is in a group whose members may read a private channel without being subscribed. */
function isGrantedContent(actor: Actor, channel: ChannelFacts): boolean {
  return (
    hasChannelGrant(actor, channel, 'can_subscribe_group') ||
    hasChannelGrant(actor, channel, 'can_add_subscribers_group')
  )
}

export function mayAdministerChannel(actor: Actor, channel: ChannelFacts): boolean {
  return isAdministrator(actor) || hasChannelGrant(actor, channel, 'can_administer_channel_group')
}

export function requireMayAdministerChannel(actor: Actor, channel: ChannelFacts): void {
  if (!mayAdministerChannel(actor, channel)) {
    throw new BadRequestError('You do not have permission to administer this channel.')
  }
}

/**
 * Whether the actor may pin in a channel that the actor can read: who writes its description decides what stands at its head, and moderators
 * keep all channels in order (docs/interface/channels.md#pins).
 */
export function mayPin(actor: Actor, channel: ChannelFacts): boolean {
  return isModerator(actor) || mayAdministerChannel(actor, channel)
}

export function requireMayPin(actor: Actor, channel: ChannelFacts): void {
  if (!mayPin(actor, channel)) {
    throw new BadRequestError('You do not have permission to pin in this channel.')
  }
}

export function invalidChannelId(): BadRequestError {
  return new BadRequestError('Invalid channel ID')
}

/** `name`: as the caller spelled it. */
export function invalidChannelName(name: string): BadRequestError {
  return new BadRequestError(`Invalid channel name '${name}'`)
}

/** Returns the channel, or throws `refusal` if it is absent or hidden; “Invalid channel ID” by default. */
export function requireChannelMetadata<Channel extends ChannelFacts>(
  actor: Actor,
  channel: Channel | undefined,
  isSubscribed: boolean,
  refusal?: BadRequestError,
): Channel {
  if (!channel || !mayAccessChannelMetadata(actor, channel, isSubscribed)) throw refusal ?? invalidChannelId()
  return channel
}

/** Returns the channel, archived or not, or throws `refusal` if it is absent or not readable. */
export function requireChannelContent<Channel extends ChannelFacts>(
  actor: Actor,
  channel: Channel | undefined,
  isSubscribed: boolean,
  refusal?: BadRequestError,
): Channel {
  if (!channel || !mayAccessChannelContent(actor, channel, isSubscribed)) throw refusal ?? invalidChannelId()
  return channel
}

/** Does the same for operations that need a channel which is not archived. */
export function requireActiveChannelContent<Channel extends ChannelFacts>(
  actor: Actor,
  channel: Channel | undefined,
  isSubscribed: boolean,
  refusal?: BadRequestError,
): Channel {
  const readable = requireChannelContent(actor, channel, isSubscribed, refusal)
  if (readable.isArchived) throw refusal ?? invalidChannelId()
  return readable
}

/** Throws the two refusals for posting, in order. Non-subscribers may post in public channels. */
export function requireMayPost(
  actor: Actor,
  channel: ChannelFacts,
  isSubscribed: boolean,
  botOwner: BotOwnerFacts | null = null,
): void {
  if (!isGrantedPosting(actor, channel, botOwner)) throw notPermittedToPost()
  if (channel.isArchived || !mayAddressChannel(actor, channel, isSubscribed, botOwner)) {
    throw new BadRequestError(`Not authorized to send to channel '${channel.name}'`)
  }
}

export function mayPost(
  actor: Actor,
  channel: ChannelFacts,
  isSubscribed: boolean,
  botOwner: BotOwnerFacts | null = null,
): boolean {
  return (
    !channel.isArchived &&
    isGrantedPosting(actor, channel, botOwner) &&
    mayAddressChannel(actor, channel, isSubscribed, botOwner)
  )
}

export function notPermittedToPost(): BadRequestError {
  return new BadRequestError('You do not have permission to post in this channel.')
}

/** The channel's permission to begin topics. */
export interface TopicOpening {
  readonly settings: Pick<ChannelPermissions, 'can_create_topic_group'>
}

/** Whether everyone who may post may also begin topics: true unless the channel restricts it. */
export function mayAnybodyOpenTopics({ settings }: TopicOpening): boolean {
  return sameGroupSetting(settings.can_create_topic_group, systemGroupId('role:everyone'))
}

/** Refuses a topic without messages to actors who may not begin one. A bot may if its owner may. */
export function requireMayOpenTopic(
  actor: Actor,
  channel: ChannelFacts,
  botOwner: BotOwnerFacts | null,
  hasMessages: () => boolean,
): void {
  if (mayAnybodyOpenTopics(channel) || hasMessages()) return
  if (isNamedOrOwnerIs('can_create_topic_group', actor, channel, botOwner)) return
  throw new BadRequestError('You do not have permission to create new topics in this channel.')
}

function isGrantedPosting(actor: Actor, channel: ChannelFacts, botOwner: BotOwnerFacts | null): boolean {
  return isNamedOrOwnerIs('can_send_message_group', actor, channel, botOwner)
}

/** For posting, either is enough, as on the public server: a channel for announcements may take them from a bot alone. */
function isNamedOrOwnerIs(
  name: 'can_send_message_group' | 'can_create_topic_group',
  actor: Actor,
  { settings }: Pick<ChannelFacts, 'settings'>,
  botOwner: BotOwnerFacts | null,
): boolean {
  const setting = channelGroupSetting(name)
  return [actor, ...(botOwner ? [botOwner.actor] : [])].some((one) =>
    inGroupSetting(one, setting, settings[name]),
  )
}

function mayAddressChannel(
  actor: Actor,
  channel: ChannelFacts,
  isSubscribed: boolean,
  botOwner: BotOwnerFacts | null,
): boolean {
  if (channel.isWebPublic || isSubscribed || botOwner?.isSubscribed) return true
  if (isGuest(actor)) return false
  if (!channel.isPrivate) return true
  return channel.historyPublicToSubscribers && isGrantedContent(actor, channel)
}

/**
 * Rules for subscribing and unsubscribing other users. Subscribing oneself needs content access, and leaving needs nothing. Source:
 * docs/interface/subscriptions.md#subscribe; docs/interface/subscriptions.md#unsubscribe;
 * docs/decisions/interface.md#channels-groups-people.
 */

/** Whether the actor may subscribe others to a channel that the actor can read. Creating a channel with others needs no right. */
export function maySubscribeOthers(actor: Actor, channel: ChannelFacts, realm: RealmPermissions): boolean {
  return (
    hasRealmGrant(actor, realm, 'can_add_subscribers_group') ||
    mayAdministerChannel(actor, channel) ||
    hasChannelGrant(actor, channel, 'can_add_subscribers_group')
  )
}

/** A user to unsubscribe. `botOwnerId`: null for people. */
export interface UnsubscribedUser {
  readonly id: number
  readonly botOwnerId: number | null
}

/** Whether the actor may unsubscribe the user. `isSubscribed`: whether the actor is subscribed. */
function mayUnsubscribe(
  actor: Actor,
  user: UnsubscribedUser,
  channel: ChannelFacts,
  isSubscribed: boolean,
): boolean {
  if (user.id === actor.id) return true
  if (user.botOwnerId === actor.id) return mayAccessChannelMetadata(actor, channel, isSubscribed)
  return mayUnsubscribeOthers(actor, channel, isSubscribed)
}

export function mayUnsubscribeOthers(actor: Actor, channel: ChannelFacts, isSubscribed: boolean): boolean {
  if (isGuest(actor)) return false
  if (mayAdministerChannel(actor, channel)) return true
  return (
    mayAccessChannelMetadata(actor, channel, isSubscribed) &&
    hasChannelGrant(actor, channel, 'can_remove_subscribers_group')
  )
}

export function requireMayUnsubscribe(
  actor: Actor,
  user: UnsubscribedUser,
  channel: ChannelFacts,
  isSubscribed: boolean,
): void {
  if (!mayUnsubscribe(actor, user, channel, isSubscribed)) throw insufficientPermission()
}
