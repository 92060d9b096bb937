import { ALL_SLICES, Changes } from './changes.ts'
import type {
  Channel,
  ChatState,
  Organization,
  ServerFacts,
  TopicPolicyEntry,
  UserGroup,
} from './chat-state.ts'
import { peersOf, topicKey } from './conversation.ts'
import { offeredIn } from './organization.ts'
import { newOutbox } from './outbox.ts'
import { insertUnread, newUnread } from './unread.ts'
import type { Snapshot, User, WireChannel, WireSubscription, WireUserGroup } from './wire.ts'

/** Number of messages in memory before any are dropped. */
const FIRST_SWEEP = 3_000

/** Keys beginning with `realm_` that are no settings. */
const LISTS_OF_REALM = new Set([
  'realm_users',
  'realm_non_active_users',
  'realm_user_groups',
  'realm_emoji',
  'realm_linkifiers',
  'realm_filters',
  'realm_playgrounds',
  'realm_domains',
  'realm_bots',
  'realm_incoming_webhook_bots',
  'realm_default_streams',
  'realm_default_stream_groups',
])

/** Returns the state after a registration: `snapshot` is its answer, with `REGISTER_OPTIONS`. */
export function createState(snapshot: Snapshot, changes = new Changes()): ChatState {
  const state: ChatState = {
    changes,
    me: snapshot.user_id,
    queueId: snapshot.queue_id,
    ...settingsOf(snapshot),
    settings: { ...snapshot.user_settings },
    users: usersOf(snapshot),
    groups: mapBy(snapshot.realm_user_groups.map(groupOf), ({ id }) => id),
    channels: channelsOf(snapshot),
    folders: mapBy(snapshot.channel_folders, ({ id }) => id),
    defaultChannels: snapshot.realm_default_streams,
    offeredChannels: offeredIn(snapshot.realm_default_stream_groups),
    defaultGroups: snapshot.realm_default_stream_groups,
    topicPolicies: new Map(),
    topics: new Map(),
    unread: newUnread(snapshot.unread_msgs.old_unreads_missing),
    messages: new Map(),
    sweepAt: FIRST_SWEEP,
    windows: new Map(),
    fetches: new Set(),
    wanted: new Set(),
    stale: new Set(),
    outbox: newOutbox(),
    moves: [],
    starred: new Set(snapshot.starred_messages),
    recent: new Map(),
    presences: new Map(Object.entries(snapshot.presences).map(([id, one]) => [Number(id), one])),
    statuses: new Map(Object.entries(snapshot.user_status).map(([id, one]) => [Number(id), one])),
    typing: new Map(),
    mutedUsers: new Set(snapshot.muted_users.map(({ id }) => id)),
    alertWords: snapshot.alert_words,
    hasZoomToken: snapshot.has_zoom_token,
    drafts: mapBy(snapshot.drafts, ({ id }) => id),
    scheduled: mapBy(snapshot.scheduled_messages, ({ scheduled_message_id }) => scheduled_message_id),
    reminders: mapBy(snapshot.reminders, ({ reminder_id }) => reminder_id),
    snippets: mapBy(snapshot.saved_snippets, ({ id }) => id),
    navigationViews: snapshot.navigation_views,
    onboardingSteps: snapshot.onboarding_steps,
    emoji: snapshot.realm_emoji,
    linkifiers: snapshot.realm_linkifiers,
    playgrounds: snapshot.realm_playgrounds,
    domains: snapshot.realm_domains,
    profileFields: snapshot.custom_profile_fields,
    bots: mapBy(snapshot.realm_bots, ({ user_id }) => user_id),
    integrations: snapshot.realm_incoming_webhook_bots,
    attachments: undefined,
    ownGroups: undefined,
  }
  insertPolicies(state, snapshot)
  insertSnapshotUnread(state, snapshot)
  for (const { user_ids, max_message_id } of snapshot.recent_private_conversations) {
    const conversation = { kind: 'direct' as const, peers: peersOf(user_ids, state.me) }
    state.recent.set(`dm ${conversation.peers.join()}`, { conversation, newestId: max_message_id })
  }
  return state
}

function settingsOf(snapshot: Snapshot): { organization: Organization; server: ServerFacts } {
  const organization: Record<string, unknown> = {}
  const server: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(snapshot)) {
    if (LISTS_OF_REALM.has(name)) continue
    if (name.startsWith('realm_')) organization[name.slice('realm_'.length)] = value
    else if (!(name in OF_THE_USER)) server[name] = value
  }
  return { organization: organization as Organization, server: server as ServerFacts }
}

/** Keys that other parts of the state use, or that are older forms of others. */
const OF_THE_USER: Readonly<Record<string, true>> = Object.fromEntries(
  [
    'result msg queue_id last_event_id user_id email delivery_email full_name avatar_source avatar_url avatar_url_medium',
    'is_admin is_owner is_moderator is_guest can_create_private_streams can_create_public_streams can_create_streams',
    'can_create_web_public_streams can_subscribe_other_users can_invite_others_to_realm streams subscriptions unsubscribed never_subscribed',
    'channel_folders user_topics muted_topics unread_msgs starred_messages recent_private_conversations presences',
    'user_status user_settings muted_users alert_words drafts scheduled_messages reminders saved_snippets',
    'navigation_views onboarding_steps has_zoom_token custom_profile_fields cross_realm_bots max_message_id presence_last_update_id',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => [name, true]),
)

function usersOf(snapshot: Snapshot): Map<number, User> {
  const users = new Map<number, User>()
  for (const user of snapshot.cross_realm_bots) {
    users.set(user.user_id, Object.assign(user, { is_active: true, is_system_bot: true }))
  }
  // The objects of the snapshot are reused, since copying ten thousand would be slow.
  for (const user of snapshot.realm_non_active_users) {
    users.set(user.user_id, Object.assign(user, { is_active: false }))
  }
  for (const user of snapshot.realm_users) users.set(user.user_id, Object.assign(user, { is_active: true }))
  Object.assign(users.get(snapshot.user_id) ?? {}, { avatar_source: snapshot.avatar_source })
  return users
}

function channelsOf(snapshot: Snapshot): Map<number, Channel> {
  const channels = new Map<number, Channel>()
  for (const channel of [...snapshot.streams, ...snapshot.never_subscribed, ...snapshot.unsubscribed]) {
    channels.set(channel.stream_id, channelWithout(channel))
  }
  for (const subscription of snapshot.subscriptions) {
    channels.set(subscription.stream_id, subscribedChannel(subscription))
  }
  return channels
}

function channelWithout(channel: WireChannel): Channel {
  const { subscribers } = channel as Partial<WireSubscription>
  return Object.assign(channel, {
    subscription: undefined,
    subscribers: subscribers && new Set(subscribers),
  })
}

export function groupOf(wire: WireUserGroup): UserGroup {
  return { ...wire, members: new Set(wire.members) }
}

/** Returns the channel of a subscription. */
export function subscribedChannel(wire: WireSubscription): Channel {
  const { subscribers, partial_subscribers, ...channel } = wire
  const {
    color,
    pin_to_top,
    is_muted,
    desktop_notifications,
    audible_notifications,
    email_notifications,
    push_notifications,
    wildcard_mentions_notify,
  } = wire
  return {
    ...channel,
    subscription: {
      color,
      pin_to_top,
      is_muted,
      desktop_notifications,
      audible_notifications,
      email_notifications,
      push_notifications,
      wildcard_mentions_notify,
    },
    subscribers: subscribers && new Set(subscribers),
  }
}

function insertPolicies(state: ChatState, { user_topics }: Snapshot): void {
  for (const { stream_id, topic_name, visibility_policy, last_updated } of user_topics) {
    const ofChannel = state.topicPolicies.get(stream_id) ?? new Map<string, TopicPolicyEntry>()
    state.topicPolicies.set(stream_id, ofChannel)
    ofChannel.set(topicKey(topic_name), {
      topic: topic_name,
      policy: visibility_policy,
      lastUpdated: last_updated,
    })
  }
}

function insertSnapshotUnread({ unread, me }: ChatState, { unread_msgs }: Snapshot): void {
  const mentions = new Set(unread_msgs.mentions)
  for (const { stream_id, topic, unread_message_ids } of unread_msgs.streams) {
    insertUnread(unread, { kind: 'topic', channelId: stream_id, topic }, unread_message_ids, mentions)
  }
  const direct = (people: readonly number[]) => ({ kind: 'direct' as const, peers: peersOf(people, me) })
  for (const { other_user_id, unread_message_ids } of unread_msgs.pms) {
    insertUnread(unread, direct([other_user_id]), unread_message_ids, mentions)
  }
  for (const { user_ids_string, unread_message_ids } of unread_msgs.huddles) {
    insertUnread(unread, direct(user_ids_string.split(',').map(Number)), unread_message_ids, mentions)
  }
}

function mapBy<T>(list: readonly T[], keyOf: (one: T) => number): Map<number, T> {
  return new Map(list.map((one) => [keyOf(one), one]))
}

/**
 * Renews the state after a new registration: the queue was lost, so anything may have changed. The user's own
 * work stays: unsent messages, and the open windows, which show what they had (`isStale`) until they are
 * loaded again.
 */
export function renewState(state: ChatState, snapshot: Snapshot): void {
  const fresh = createState(snapshot, state.changes)
  const { outbox, windows, messages, stale } = state
  for (const window of windows.values()) {
    const kept = window.isOpen && window.isLoaded
    Object.assign(window, { isLoaded: kept, isStale: kept, atOldest: false, atNewest: false })
    if (!kept) window.ids = []
    window.toMatch.clear()
  }
  const shown = new Set([...windows.values()].flatMap(({ ids }) => ids))
  for (const id of messages.keys()) {
    if (shown.has(id)) stale.add(id)
    else messages.delete(id)
  }
  Object.assign(state, fresh, { outbox, windows, messages, stale })
  for (const slice of ALL_SLICES) state.changes.touchAll(slice)
}
