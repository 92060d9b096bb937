import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CHANNEL_PROPERTIES } from '../../src/core/channel-properties.ts'
import * as channelRules from '../../src/rules/channel-rules.ts'
import * as subscriptionRules from '../../src/rules/channel-rules.ts'
import { mayCreateChannel as serverMayCreateChannel } from '../../src/rules/channel-setting-rules.ts'
import type { ChannelPermissions, RealmPermissions, UserGroupPermissions } from '../../src/rules/grants.ts'
import type { GroupSettingValue } from '../../src/rules/group-setting-values.ts'
import { GROUP_SETTINGS } from '../../src/rules/group-settings.ts'
import { groupIdsOf } from '../../src/rules/in-group.ts'
import * as invitationRules from '../../src/rules/invitation-rules.ts'
import * as messageRules from '../../src/rules/message-rules.ts'
import { requireMayMentionGroup, requireMaySendDirect } from '../../src/rules/message-rules.ts'
import * as moveRules from '../../src/rules/move-rules.ts'
import { isGuest, isModerator, ROLE_VALUES, type Role } from '../../src/rules/roles.ts'
import { serverSupportedPermissionSettings } from '../../src/rules/supported-permission-settings.ts'
import { SYSTEM_GROUPS, systemGroupId } from '../../src/rules/system-groups.ts'
import * as groupRules from '../../src/rules/user-group-rules.ts'
import * as page from '../../web/state/index.ts'
import {
  buildDirectMessage,
  buildEvent,
  buildMessage,
  buildState,
  buildSubscription,
  buildUser,
  ME,
  NOW,
} from './build.ts'

const OTHER = 4
const OWN_GROUP = 30
const OUTER_GROUP = 31
const SUPPORTED = serverSupportedPermissionSettings()

interface Case {
  readonly role: Role
  readonly isFullMember: boolean
  readonly isInOwnGroup: boolean
  readonly realm: RealmPermissions
  readonly channel: ChannelPermissions
  readonly group: UserGroupPermissions
  readonly kind: 'public' | 'shared' | 'protected' | 'web-public'
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  readonly age: number
  readonly limit: number | null
  readonly sender: number
}

const values: fc.Arbitrary<GroupSettingValue> = fc.oneof(
  fc.constantFrom(...SYSTEM_GROUPS.map(({ id }) => id), OWN_GROUP, OUTER_GROUP),
  fc.record(
    {
      direct_members: fc.subarray([ME, OTHER]),
      direct_subgroups: fc.subarray([OWN_GROUP, OUTER_GROUP, systemGroupId('role:moderators')]),
    },
    { noNullPrototype: true },
  ),
)

const settings = (level: 'realm' | 'channel' | 'group') =>
  fc.record(Object.fromEntries(GROUP_SETTINGS[level].map(({ name }) => [name, values])))

const cases: fc.Arbitrary<Case> = fc.record({
  role: fc.constantFrom(...ROLE_VALUES),
  isFullMember: fc.boolean(),
  isInOwnGroup: fc.boolean(),
  realm: settings('realm') as fc.Arbitrary<RealmPermissions>,
  channel: settings('channel') as fc.Arbitrary<ChannelPermissions>,
  group: settings('group') as fc.Arbitrary<UserGroupPermissions>,
  kind: fc.constantFrom('public', 'shared', 'protected', 'web-public'),
  isArchived: fc.boolean(),
  isSubscribed: fc.boolean(),
  age: fc.constantFrom(0, 100, 101, 1_000),
  limit: fc.constantFrom(null, 100),
  sender: fc.constantFrom(ME, OTHER),
})

/** The same facts in the server's form and in the page's. */
function bothSides(one: Case) {
  const isFullMember = !isGuest(one) && (isModerator(one) || one.isFullMember)
  const groupIds = groupIdsOf(
    { id: ME, role: one.role, isFullMember },
    {
      groupsOfMember: () => (one.isInOwnGroup ? [OWN_GROUP] : []),
      groupsOfSubgroup: (id) => (id === OWN_GROUP ? [OUTER_GROUP] : []),
    },
  )
  const actor = {
    id: ME,
    role: one.role,
    isBot: false,
    botOwnerId: null,
    isActive: true,
    groupIds,
    isFullMember,
  }
  const isPrivate = one.kind === 'shared' || one.kind === 'protected'
  const channel: channelRules.ChannelFacts = {
    id: 1,
    name: 'channel 1',
    isPrivate,
    isWebPublic: one.kind === 'web-public',
    historyPublicToSubscribers: one.kind !== 'protected',
    isArchived: one.isArchived,
    settings: one.channel,
    properties: DEFAULT_CHANNEL_PROPERTIES,
  }
  const wire = buildSubscription(1, {
    invite_only: isPrivate,
    is_web_public: one.kind === 'web-public',
    history_public_to_subscribers: one.kind !== 'protected',
    is_archived: one.isArchived,
    ...one.channel,
  })
  const limits = {
    message_content_edit_limit_seconds: one.limit,
    message_content_delete_limit_seconds: one.limit,
    move_messages_within_stream_limit_seconds: one.limit,
    move_messages_between_streams_limit_seconds: one.limit,
  }
  const own = isFullMember && one.role === 400 ? 'role:fullmembers' : undefined
  const systemGroups = SYSTEM_GROUPS.map(({ id, name, directSubgroup }) => ({
    ...groupFacts(id, name),
    is_system_group: true,
    members: [
      ...(name === (own ?? ROLE_GROUPS[one.role]) ? [ME] : []),
      ...(name === 'role:members' ? [OTHER] : []),
    ],
    direct_subgroup_ids: directSubgroup === null ? [] : [systemGroupId(directSubgroup)],
  }))
  const state = buildState({
    realm_users: [
      buildUser(ME, {
        role: one.role,
        is_admin: one.role <= 200,
        is_owner: one.role === 100,
        is_guest: one.role === 600,
      }),
      buildUser(OTHER),
    ],
    realm_user_groups: [
      ...systemGroups,
      { ...groupFacts(OWN_GROUP, 'inner', one.group), members: one.isInOwnGroup ? [ME] : [] },
      { ...groupFacts(OUTER_GROUP, 'outer', one.group), direct_subgroup_ids: [OWN_GROUP] },
    ],
    streams: one.isSubscribed ? [] : [wire],
    subscriptions: one.isSubscribed ? [wire] : [],
    never_subscribed: [],
    ...Object.fromEntries(
      Object.entries({ ...one.realm, ...limits }).map(([name, value]) => [`realm_${name}`, value]),
    ),
    realm_allow_message_editing: true,
    server_supported_permission_settings: SUPPORTED,
  })
  const group: groupRules.UserGroupFacts = {
    id: OWN_GROUP,
    name: 'inner',
    isSystem: false,
    isDeactivated: false,
    settings: one.group,
  }
  const message = buildMessage(5, { sender_id: one.sender, timestamp: 0 })
  return { actor, channel, group, state, limits, message }
}

const ROLE_GROUPS: Readonly<Record<number, string>> = {
  100: 'role:owners',
  200: 'role:administrators',
  300: 'role:moderators',
  400: 'role:members',
  600: 'role:everyone',
}

function groupFacts(id: number, name: string, permissions?: UserGroupPermissions) {
  const nobody = systemGroupId('role:nobody')
  const none = Object.fromEntries(GROUP_SETTINGS.group.map((setting) => [setting.name, nobody]))
  return {
    id,
    name,
    description: '',
    creator_id: null,
    date_created: null,
    members: [] as number[],
    direct_subgroup_ids: [] as number[],
    is_system_group: false,
    deactivated: false,
    ...((permissions ?? none) as UserGroupPermissions),
  }
}

function passes(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function agree(name: string, ask: (one: Case) => readonly [page: boolean, server: boolean]): void {
  it(name, () => {
    fc.assert(
      fc.property(cases, (one) => {
        const [ours, theirs] = ask(one)
        expect(ours).toBe(theirs)
      }),
      { numRuns: 300 },
    )
  })
}

describe('the page offers what the server allows:', () => {
  agree('being in a group', (one) => {
    const { actor, state } = bothSides(one)
    return [[...page.myGroups(state)].sort().join() === [...actor.groupIds].sort().join(), true]
  })

  agree('reading a channel', (one) => {
    const { actor, channel, state } = bothSides(one)
    return [
      page.mayReadChannel(state, state.channels.get(1)!),
      channelRules.mayAccessChannelContent(actor, channel, one.isSubscribed),
    ]
  })

  agree('posting', (one) => {
    const { actor, channel, state } = bothSides(one)
    return [
      page.mayPost(state, state.channels.get(1)!),
      channelRules.mayPost(actor, channel, one.isSubscribed),
    ]
  })

  agree('beginning topics', (one) => {
    const { actor, channel, state } = bothSides(one)
    return [
      page.mayBeginTopics(state, state.channels.get(1)!),
      passes(() => channelRules.requireMayOpenTopic(actor, channel, null, () => false)),
    ]
  })

  agree('administering a channel', (one) => {
    const { actor, channel, state } = bothSides(one)
    return [
      page.mayAdministerChannel(state, state.channels.get(1)!),
      channelRules.mayAdministerChannel(actor, channel),
    ]
  })

  agree('adding subscribers', (one) => {
    const { actor, channel, state } = bothSides(one)
    const isReadable = channelRules.mayAccessChannelContent(actor, channel, one.isSubscribed)
    return [
      page.mayAddSubscribers(state, state.channels.get(1)!),
      !one.isArchived && isReadable && subscriptionRules.maySubscribeOthers(actor, channel, one.realm),
    ]
  })

  agree('removing subscribers', (one) => {
    const { actor, channel, state } = bothSides(one)
    // A user who does not see the channel has no channel to check.
    if (!channelRules.mayAccessChannelMetadata(actor, channel, one.isSubscribed)) return [true, true]
    return [
      page.mayRemoveSubscribers(state, state.channels.get(1)!),
      subscriptionRules.mayUnsubscribeOthers(actor, channel, one.isSubscribed),
    ]
  })

  for (const isPrivate of [false, true]) {
    agree(`creating ${isPrivate ? 'private' : 'public'} channels`, (one) => {
      const { actor, state } = bothSides(one)
      return [
        page.mayCreateChannel(state, isPrivate ? 'private' : 'public'),
        serverMayCreateChannel(actor, { isPrivate }, one.realm),
      ]
    })
  }

  agree('editing', (one) => {
    const { actor, state, message, limits } = bothSides(one)
    const realm = { allow_message_editing: true, ...limits }
    const facts = { senderId: one.sender, ageSeconds: one.age }
    return [
      page.mayEditContent(state, message, one.age),
      !one.isArchived && passes(() => messageRules.requireMayEditContent(actor, facts, realm, 0)),
    ]
  })

  agree('deleting', (one) => {
    const { actor, channel, state, message, limits } = bothSides(one)
    const facts = { senderId: one.sender, senderBotOwnerId: null, ageSeconds: one.age, channel }
    return [
      page.mayDelete(state, message, one.age),
      !one.isArchived &&
        passes(() => messageRules.requireMayDeleteMessage(actor, facts, { ...one.realm, ...limits })),
    ]
  })

  agree('deleting direct messages', (one) => {
    const { actor, state, limits } = bothSides(one)
    const message = buildDirectMessage(6, [ME, OTHER], { sender_id: one.sender, timestamp: 0 })
    const facts = { senderId: one.sender, senderBotOwnerId: null, ageSeconds: one.age, channel: null }
    return [
      page.mayDelete(state, message, one.age),
      passes(() => messageRules.requireMayDeleteMessage(actor, facts, { ...one.realm, ...limits })),
    ]
  })

  agree('moving to another topic', (one) => {
    const { actor, channel, state, message } = bothSides(one)
    const isInTime = isModerator(one) || messageRules.isWithinLimit(one.age, one.limit, 0)
    const channels = { from: channel, to: channel }
    return [
      page.mayMoveToTopic(state, message, one.age),
      !one.isArchived &&
        isInTime &&
        passes(() => moveRules.requireMayMoveBetweenTopics(actor, channels, one.realm)),
    ]
  })

  agree('resolving', (one) => {
    const { actor, channel, state } = bothSides(one)
    state.server.max_topic_length = 60
    const channels = { from: channel, to: channel }
    return [
      page.mayResolve(state, state.channels.get(1)!, 'lunch'),
      !one.isArchived && passes(() => moveRules.requireMayResolveTopic(actor, channels, one.realm)),
    ]
  })

  agree('inviting', (one) => {
    const { actor, state } = bothSides(one)
    return [page.mayInvite(state), invitationRules.mayInvite(actor, one.realm)]
  })

  agree('inviting by a link', (one) => {
    const { actor, state } = bothSides(one)
    return [page.mayCreateInviteLink(state), invitationRules.mayCreateInviteLink(actor, one.realm)]
  })

  agree('managing, joining, leaving and mentioning a group', (one) => {
    const { actor, group, state } = bothSides(one)
    const ours = state.groups.get(OWN_GROUP)!
    const answers = [
      [page.mayManageGroup(state, ours), groupRules.mayManageGroup(actor, group, one.realm)],
      [page.mayAddMembers(state, ours), groupRules.mayAddMembers(actor, group, one.realm)],
      [page.mayRemoveMembers(state, ours), groupRules.mayRemoveMembers(actor, group, one.realm)],
      [
        page.mayJoinGroup(state, ours),
        passes(() => groupRules.requireMayAddMembers(actor, [ME], group, one.realm)),
      ],
      [
        page.mayLeaveGroup(state, ours),
        passes(() => groupRules.requireMayRemoveMembers(actor, [ME], group, one.realm)),
      ],
      [page.mayMentionGroup(state, ours), passes(() => requireMayMentionGroup(actor, group))],
    ]
    return [
      JSON.stringify(answers.map(([left]) => left)) === JSON.stringify(answers.map(([, right]) => right)),
      true,
    ]
  })

  for (const hasMessages of [false, true]) {
    agree(`writing to somebody, ${hasMessages ? 'again' : 'for the first time'}`, (one) => {
      const { actor, state } = bothSides(one)
      const member = { id: OTHER, role: 400 as const, isFullMember: false }
      const groupIds = groupIdsOf(member, { groupsOfMember: () => [], groupsOfSubgroup: () => [] })
      const other = { ...actor, ...member, groupIds }
      const recipients = [{ actor: other, email: '', isVisibleToSender: true }]
      return [
        page.mayWriteTo(state, [OTHER], { hasMessages }),
        passes(() => requireMaySendDirect(actor, { recipients, hasMessages }, one.realm)),
      ]
    })
  }
})

describe('a closed account', () => {
  it('can be opened again unless its profile was erased', () => {
    const state = buildState({ realm_non_active_users: [buildUser(OTHER + 1)] })
    const close = (id: number, changes: object) =>
      page.applyEvents(
        state,
        [buildEvent('realm_user', { op: 'update', person: { user_id: id, is_active: false, ...changes } })],
        NOW,
      )
    const offered = () => [OTHER, OTHER + 1, 7].map((id) => page.canBeReactivated(state.users.get(id)!))
    expect(offered()).toEqual([false, true, false])
    close(OTHER, {})
    close(OTHER + 1, { is_deleted: true })
    close(7, { is_deleted: true })
    expect(offered()).toEqual([true, false, false])
  })
})

/** Whether the user is named by a value, or has the permission whatever it is. */
function isNamed(state: page.ChatState, always: object, value: GroupSettingValue): boolean {
  const { direct_members, direct_subgroups } = page.unionOf([always as GroupSettingValue & object, value])
  const own = page.myGroups(state)
  return direct_members.includes(ME) || direct_subgroups.some((id) => own.has(id))
}

describe('a permission names exactly the users who have it:', () => {
  const inChannel = {
    can_administer_channel_group: ({ actor, channel }) => channelRules.mayAdministerChannel(actor, channel),
    can_add_subscribers_group: ({ actor, channel }, { realm }) =>
      subscriptionRules.maySubscribeOthers(actor, channel, realm),
    can_remove_subscribers_group: ({ actor, channel }) =>
      subscriptionRules.mayUnsubscribeOthers(actor, channel, true),
    can_resolve_topics_group: ({ actor, channel }, { realm }) =>
      passes(() => moveRules.requireMayResolveTopic(actor, { from: channel, to: channel }, realm)),
    can_move_messages_within_channel_group: ({ actor, channel }, { realm }) =>
      passes(() => moveRules.requireMayMoveBetweenTopics(actor, { from: channel, to: channel }, realm)),
    can_subscribe_group: ({ actor, channel }) => channelRules.mayAccessChannelContent(actor, channel, false),
  } satisfies Record<string, (sides: ReturnType<typeof bothSides>, one: Case) => boolean>
  for (const [name, may] of Object.entries(inChannel) as [
    keyof typeof inChannel,
    (sides: ReturnType<typeof bothSides>, one: Case) => boolean,
  ][]) {
    agree(name, (one) => {
      const sides = bothSides(one)
      // What guests get depends on more than whether they are named.
      if (one.role === 600) return [true, true]
      const channel = sides.state.channels.get(1)!
      const always = page.alwaysInChannel(sides.state, channel, name)
      return [isNamed(sides.state, always, channel[name]), may(sides, one)]
    })
  }

  const inGroup = {
    can_manage_group: groupRules.mayManageGroup,
    can_add_members_group: groupRules.mayAddMembers,
    can_remove_members_group: groupRules.mayRemoveMembers,
  }
  for (const [name, may] of Object.entries(inGroup) as [
    keyof typeof inGroup,
    typeof groupRules.mayManageGroup,
  ][]) {
    agree(name, (one) => {
      const { state, actor, group } = bothSides(one)
      if (one.role === 600) return [true, true]
      const known = state.groups.get(OWN_GROUP)!
      const always = page.alwaysInGroup(state, known, name)
      return [isNamed(state, always, known[name]), may(actor, group, one.realm)]
    })
  }
})
