import type { RealmGroupSettingName } from '../../src/rules/group-settings.ts'
import type { Channel, ChatState, Organization, UserGroup } from './chat-state.ts'
import { toggledTopic, topicKey } from './conversation.ts'
import type { GroupSettingValue, Message, Role, TopicsPolicy, User } from './wire.ts'

/**
 * The user's permissions, as far as the page knows; other actions are not offered. The server decides; a rule with unknown facts says yes.
 * The rules are those of the server's `src/rules`.
 */

export function myself({ users, me }: ChatState): User {
  return users.get(me)!
}

/** Returns ids of the user's groups: as a listed member, and upwards through subgroups. */
export function myGroups(state: ChatState): ReadonlySet<number> {
  state.ownGroups ??= groupsOf(state, state.me)
  return state.ownGroups
}

function groupsOf({ groups }: ChatState, userId: number): Set<number> {
  const found = new Set<number>()
  const above = new Map<number, number[]>()
  for (const { id, members, direct_subgroup_ids } of groups.values()) {
    if (members.has(userId)) found.add(id)
    for (const inner of direct_subgroup_ids) above.set(inner, [...(above.get(inner) ?? []), id])
  }
  const open = [...found]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const outer of above.get(id) ?? []) {
      if (found.has(outer)) continue
      found.add(outer)
      open.push(outer)
    }
  }
  return found
}

/** Whether a user is a member of the group, or of one of its subgroups. */
export function isInGroup(state: ChatState, userId: number, groupId: number): boolean {
  return (userId === state.me ? myGroups(state) : groupsOf(state, userId)).has(groupId)
}

/** Whether the user is among those whom the value names. */
function isInGroupValue(state: ChatState, userId: number, value: GroupSettingValue): boolean {
  if (typeof value === 'number') return isInGroup(state, userId, value)
  return (
    value.direct_members.includes(userId) || value.direct_subgroups.some((id) => isInGroup(state, userId, id))
  )
}

/**
 * Whether the user has a permission. A guest never has one that cannot be given to everyone, not even when
 * named.
 */
function holds(
  state: ChatState,
  level: 'realm' | 'stream' | 'group',
  name: string,
  value: GroupSettingValue | undefined,
  user: User = myself(state),
): boolean {
  if (value === undefined || !user.is_active) return false
  const allowsGuests =
    state.server.server_supported_permission_settings?.[level]?.[name]?.allow_everyone_group
  if (user.is_guest && !allowsGuests) return false
  return isInGroupValue(state, user.user_id, value)
}

/** Whether the user has one of the organization's permissions, by its API name without `realm_`. */
function mayInOrganization(state: ChatState, name: RealmGroupSettingName): boolean {
  return holds(state, 'realm', name, state.organization[name])
}

type ChannelPermission = Extract<keyof Channel, `can_${string}`>

function mayInChannel(state: ChatState, channel: Channel, name: ChannelPermission): boolean {
  return holds(state, 'stream', name, channel[name])
}

type GroupPermission = Extract<keyof UserGroup, `can_${string}`>

function mayInGroup(state: ChatState, group: UserGroup, name: GroupPermission): boolean {
  return holds(state, 'group', name, group[name])
}

// Rules for channels.

/** Whether the user may read its messages, and subscribe. */
export function mayReadChannel(state: ChatState, channel: Channel): boolean {
  if (channel.is_web_public || channel.subscription) return true
  if (myself(state).is_guest) return false
  return !channel.invite_only || isGivenContent(state, channel)
}

function isGivenContent(state: ChatState, channel: Channel): boolean {
  return (
    mayInChannel(state, channel, 'can_subscribe_group') ||
    mayInChannel(state, channel, 'can_add_subscribers_group')
  )
}

export function maySubscribe(state: ChatState, channel: Channel): boolean {
  return !channel.is_archived && mayReadChannel(state, channel)
}

export function mayAdministerChannel(state: ChatState, channel: Channel): boolean {
  return myself(state).is_admin || mayInChannel(state, channel, 'can_administer_channel_group')
}

/**
 * Whether the user may change privacy and who may read: administrators outside a private channel may not give themselves access.
 */
export function mayChangePrivacy(state: ChatState, channel: Channel): boolean {
  return mayAdministerChannel(state, channel) && mayReadChannel(state, channel)
}

export function mayPost(state: ChatState, channel: Channel): boolean {
  if (channel.is_archived || !mayInChannel(state, channel, 'can_send_message_group')) return false
  if (channel.is_web_public || channel.subscription) return true
  if (myself(state).is_guest) return false
  return !channel.invite_only || (channel.history_public_to_subscribers && isGivenContent(state, channel))
}

export function mayBeginTopics(state: ChatState, channel: Channel): boolean {
  return mayInChannel(state, channel, 'can_create_topic_group')
}

/** Whether the user may write in this topic: in any with messages, or in a new one where they may begin it. */
export function mayWriteInTopic(state: ChatState, channel: Channel, topic: string): boolean {
  if (mayBeginTopics(state, channel)) return true
  const topics = state.topics.get(channel.stream_id)
  // Until all topics are known, it may exist.
  return !topics?.isComplete || topics.byKey.has(topicKey(topic.trim()))
}

export function mayAddSubscribers(state: ChatState, channel: Channel): boolean {
  if (channel.is_archived || !mayReadChannel(state, channel)) return false
  return (
    mayInOrganization(state, 'can_add_subscribers_group') ||
    mayAdministerChannel(state, channel) ||
    mayInChannel(state, channel, 'can_add_subscribers_group')
  )
}

export function mayRemoveSubscribers(state: ChatState, channel: Channel): boolean {
  if (myself(state).is_guest) return false
  return mayAdministerChannel(state, channel) || mayInChannel(state, channel, 'can_remove_subscribers_group')
}

export function mayCreateChannel(state: ChatState, kind: 'public' | 'private' | 'web-public'): boolean {
  if (kind === 'private') return mayInOrganization(state, 'can_create_private_channel_group')
  if (!mayInOrganization(state, 'can_create_public_channel_group')) return false
  return kind === 'public' || mayMakeWebPublic(state)
}

export function mayMakeWebPublic(state: ChatState): boolean {
  const { server, organization } = state
  const isEnabled = server.server_web_public_streams_enabled && organization.enable_spectator_access
  return isEnabled && mayInOrganization(state, 'can_create_web_public_channel_group')
}

/** Returns the policy for a channel's topics. */
export function topicsPolicyOf(
  { organization }: { readonly organization: Pick<Organization, 'topics_policy'> },
  channel: Channel,
): Exclude<TopicsPolicy, 'inherit'> {
  return channel.topics_policy === 'inherit' ? organization.topics_policy : channel.topics_policy
}

// Rules for messages. `now` in UNIX seconds.

/** Whether a message is within a time limit; null: no limit. */
function isInTime(message: Message, limit: number | null | undefined, now: number): boolean {
  return limit === null || limit === undefined || now - message.timestamp <= limit
}

/**
 * Returns the channel of a message that may be changed; undefined for a direct message, false for an archived
 * or unknown channel.
 */
function channelToChange(state: ChatState, message: Message): Channel | undefined | false {
  if (message.type !== 'stream') return undefined
  const channel = state.channels.get(message.stream_id!)
  return channel && !channel.is_archived ? channel : false
}

export function mayEditContent(state: ChatState, message: Message, now: number): boolean {
  const { organization, me } = state
  if (channelToChange(state, message) === false || message.sender_id !== me) return false
  return (
    organization.allow_message_editing &&
    isInTime(message, organization.message_content_edit_limit_seconds, now)
  )
}

export function mayDelete(state: ChatState, message: Message, now: number): boolean {
  const channel = channelToChange(state, message)
  if (channel === false) return false
  const may = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    mayInOrganization(state, name) || (channel !== undefined && mayInChannel(state, channel, name))
  if (may('can_delete_any_message_group')) return true
  const isOwn =
    message.sender_id === state.me || state.users.get(message.sender_id)?.bot_owner_id === state.me
  return (
    isOwn &&
    may('can_delete_own_message_group') &&
    isInTime(message, state.organization.message_content_delete_limit_seconds, now)
  )
}

export function mayMoveToTopic(state: ChatState, message: Message, now: number): boolean {
  const channel = channelToChange(state, message)
  if (!channel || topicsPolicyOf(state, channel) === 'empty_topic_only') return false
  const isAllowed =
    mayAdministerChannel(state, channel) ||
    mayInOrganization(state, 'can_move_messages_between_topics_group') ||
    mayInChannel(state, channel, 'can_move_messages_within_channel_group')
  const limit = state.organization.move_messages_within_stream_limit_seconds
  return isAllowed && (isModerator(state) || isInTime(message, limit, now))
}

export function mayMoveToChannel(state: ChatState, message: Message, now: number): boolean {
  const channel = channelToChange(state, message)
  if (!channel) return false
  const isAllowed =
    mayAdministerChannel(state, channel) ||
    mayInOrganization(state, 'can_move_messages_between_channels_group') ||
    mayInChannel(state, channel, 'can_move_messages_out_of_channel_group')
  const limit = state.organization.move_messages_between_streams_limit_seconds
  return isAllowed && (isModerator(state) || isInTime(message, limit, now))
}

/** Whether the user may resolve the topic, or unresolve it. */
export function mayResolve(state: ChatState, channel: Channel, topic: string): boolean {
  if (channel.is_archived || topic === '' || topicsPolicyOf(state, channel) === 'empty_topic_only')
    return false
  if ([...toggledTopic(topic)].length > state.server.max_topic_length) return false
  return (
    mayInOrganization(state, 'can_resolve_topics_group') ||
    mayInChannel(state, channel, 'can_resolve_topics_group')
  )
}

/** Whether the user may delete a whole topic. */
export function mayDeleteTopic(state: ChatState, channel: Channel): boolean {
  return !channel.is_archived && myself(state).is_admin
}

export function mayReport(state: ChatState): boolean {
  return state.organization.moderation_request_channel_id >= 0
}

// Rules for people.

function isModerator(state: ChatState): boolean {
  return myself(state).role <= 300
}

/** Whether the user may write to another one. `hasMessages`: the conversation has begun already. */
export function mayWriteTo(
  state: ChatState,
  userIds: readonly number[],
  { hasMessages }: { readonly hasMessages: boolean },
): boolean {
  const others = userIds.map((id) => state.users.get(id))
  if (others.some((user) => !user?.is_active)) return false
  const people = others as User[]
  if (people.every(({ is_bot, user_id }) => is_bot || user_id === state.me)) return true
  const value = state.organization.direct_message_permission_group
  const isAuthorized = [myself(state), ...people].some((user) =>
    holds(state, 'realm', 'direct_message_permission_group', value, user),
  )
  return isAuthorized && (hasMessages || mayInOrganization(state, 'direct_message_initiator_group'))
}

export function mayInvite(state: ChatState): boolean {
  return mayInOrganization(state, 'can_invite_users_group')
}

export function mayCreateInviteLink(state: ChatState): boolean {
  return mayInOrganization(state, 'create_multiuse_invite_group')
}

/** Whether the user may see invitations, by mail or by a link. */
export function maySeeInvitations(state: ChatState): boolean {
  return mayInvite(state) || mayCreateInviteLink(state)
}

export function mayAdministerUser(state: ChatState, user: User): boolean {
  const { is_admin, is_owner, user_id } = myself(state)
  if (user.is_system_bot) return false
  if (user.bot_owner_id === user_id) return true
  return is_admin && (is_owner || !user.is_owner)
}

/** Whether the user may take away the second factors of a user who has lost them. */
export function mayResetSecondFactors(state: ChatState, user: User): boolean {
  return !user.is_bot && myself(state).is_admin && mayAdministerUser(state, user)
}

/** Whether a closed account can be reactivated: not once its profile was erased. */
export function canBeReactivated({ is_active, is_deleted }: User): boolean {
  return !is_active && !is_deleted
}

// Rules for groups.

export function mayCreateGroup(state: ChatState): boolean {
  return mayInOrganization(state, 'can_create_groups')
}

export function mayManageGroup(state: ChatState, group: UserGroup): boolean {
  if (group.is_system_group) return false
  return mayInOrganization(state, 'can_manage_all_groups') || mayInGroup(state, group, 'can_manage_group')
}

export function mayAddMembers(state: ChatState, group: UserGroup): boolean {
  if (group.is_system_group) return false
  return mayManageGroup(state, group) || mayInGroup(state, group, 'can_add_members_group')
}

export function mayRemoveMembers(state: ChatState, group: UserGroup): boolean {
  if (group.is_system_group) return false
  return mayManageGroup(state, group) || mayInGroup(state, group, 'can_remove_members_group')
}

export function mayJoinGroup(state: ChatState, group: UserGroup): boolean {
  return mayAddMembers(state, group) || (!group.is_system_group && mayInGroup(state, group, 'can_join_group'))
}

/** Whether the user could come back after leaving, which may take the permission away. */
export function mayRejoinGroup(state: ChatState, group: UserGroup): boolean {
  const members = new Set(group.members)
  members.delete(state.me)
  const left = { ...group, members }
  const groups = new Map(state.groups).set(group.id, left)
  return mayJoinGroup({ ...state, groups, ownGroups: undefined }, left)
}

export function mayLeaveGroup(state: ChatState, group: UserGroup): boolean {
  return (
    mayRemoveMembers(state, group) || (!group.is_system_group && mayInGroup(state, group, 'can_leave_group'))
  )
}

export function mayMentionGroup(state: ChatState, group: UserGroup): boolean {
  return !group.deactivated && mayInGroup(state, group, 'can_mention_group')
}

// Rules for the organization, and the user's own account.

export function isAdministrator(state: ChatState): boolean {
  return myself(state).is_admin
}

/** Whether owners may export everybody's private data. */
export function hasFullContentAccess({ organization }: ChatState): boolean {
  return organization.owner_full_content_access === true
}

export function isOwner(state: ChatState): boolean {
  return myself(state).is_owner
}

/**
 * Whether the user may change these of their own. Administrators may even where the organization has fixed
 * them.
 */
export function mayChangeOwn(state: ChatState, what: 'name' | 'email' | 'avatar'): boolean {
  return myself(state).is_admin || state.organization[`${what}_changes_disabled`] !== true
}

/**
 * Whether the user may make such a bot: 1 generic, 2 incoming webhook, 3 outgoing webhook. An incoming one
 * can only write, so either right suffices.
 */
export function mayCreateBot(state: ChatState, type: number): boolean {
  return (
    mayInOrganization(state, 'can_create_bots_group') ||
    (type === 2 && mayInOrganization(state, 'can_create_write_only_bots_group'))
  )
}

export function mayAddEmoji(state: ChatState): boolean {
  return mayInOrganization(state, 'can_add_custom_emoji_group')
}

/** Whether the user may remove an emoji: their own, or any for administrators. */
export function mayRemoveEmoji(state: ChatState, authorId: number | null): boolean {
  return myself(state).is_admin || authorId === state.me
}

const OWNERS_ALONE: ReadonlySet<string> = new Set([
  'create_multiuse_invite_group',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'workplace_users_group',
  'invite_required',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'waiting_period_threshold',
  'second_factor_required_for',
  'message_retention_days',
  'org_type',
  'authentication_methods',
])

/** Whether the user may change one of its settings, by its API name without `realm_`. */
export function mayChangeOrganization(state: ChatState, name: string): boolean {
  return OWNERS_ALONE.has(name) ? isOwner(state) : isAdministrator(state)
}

/** Whether the user reads what is reported, or chooses where it is posted. */
export function maySeeReports(state: ChatState): boolean {
  const channel = state.channels.get(state.organization.moderation_request_channel_id)
  return isAdministrator(state) || channel?.subscription !== undefined
}

/** Whether the user may change another user's role. Only owners may make owners, or change an owner's role. */
export function mayChangeRole(state: ChatState, user: User): boolean {
  return isAdministrator(state) && (isOwner(state) || !user.is_owner)
}

/** Returns the roles with which the user may invite: none above their own. */
export function rolesToInviteAs(state: ChatState): readonly Role[] {
  const roles: readonly Role[] = [600, 400, 300, 200, 100]
  return roles.filter((role) => role >= myself(state).role)
}
