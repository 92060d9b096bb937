import {
  applyEvents,
  beginFetch,
  belongsTo,
  type ChatState,
  channelNarrow,
  conversationOf,
  createState,
  DIRECT_MESSAGES,
  MENTIONS,
  type Message,
  type Narrow,
  narrowKey,
  narrowOf,
  recentDirect,
  STARRED,
  settleAround,
  settleWanted,
  totalUnread,
  unreadMentions,
  windowOf,
} from '../../web/state/index.ts'
import { isTopicMuted } from '../../web/state/topics.ts'
import type { Json } from '../support/json.ts'
import type { ClientState } from './client-state.ts'
import type { Comparison } from './comparable-state.ts'
import { directKey, topicKey, unreadOfSnapshot } from './comparable-state.ts'

/** Returns the page's state after the same snapshot, messages and events as those of the model client. */
export function openPage(client: ClientState): ChatState {
  const page = createState(structuredClone(client.register))
  const messages = allMessages(client)
  const conversations = messages.map((message) => narrowOf(conversationOf(message, page.me)))
  const channels = [...page.channels.keys()].map(channelNarrow)
  const narrows: Narrow[] = [[], DIRECT_MESSAGES, STARRED, MENTIONS, ...channels, ...conversations]
  for (const narrow of narrows) {
    const window = windowOf(page, narrow)
    if (window.isLoaded) continue
    const found = messages.filter((message) => belongsTo(page, narrow, message))
    settleAround(page, window, beginFetch(page), { messages: found, found_oldest: true, found_newest: true })
  }
  return page
}

function allMessages(client: ClientState): Message[] {
  return structuredClone([...client.messages.values()].sort((a, b) => a.id - b.id)) as Message[]
}

/** Applies a copy of the events, since the model client keeps parts of them and changes them. */
export function applyToPage(page: ChatState, events: readonly Json[]): void {
  applyEvents(page, structuredClone(events), 0)
}

/** Data of the organization and the server about which events say nothing, or only that a client must fetch them again. */
const NOT_KEPT = new Set([
  'server_timestamp',
  'devices',
  'push_devices',
  // It comes with a changed description, and is not in the snapshot.
  'rendered_description',
  // Groups of channels, which the page has no view for.
  'default_stream_groups',
])

/**
 * Returns the page's state after events, and a fresh one, in one form. `client` and `freshClient` are the model clients
 * beside them: the first knows things that no event contained, the second has the server's own count of unread messages.
 */
export function comparePages(
  page: ChatState,
  client: ClientState,
  freshClient: ClientState,
  {
    ignore = [],
    comesSilently,
    withContent = true,
  }: {
    readonly ignore?: readonly string[]
    readonly comesSilently?: (id: number) => boolean
    /** Whether contents are compared: not for clients that get Markdown, since the page gets HTML. */
    readonly withContent?: boolean
  } = {},
): Comparison {
  const fresh = openPage(freshClient)
  fetchWanted(page, fresh)
  const isWithoutEvent = (message: Message) =>
    comesSilently?.(message.id) ||
    client.unknownMessages.has(message.id) ||
    client.changedChannels.has(message.stream_id!) ||
    message.flags.includes('historical')
  // Messages that come without an event may be known to one side only.
  const shown = (id: number) => {
    const [known, expected] = [page.messages.get(id), fresh.messages.get(id)]
    return (known !== undefined && expected !== undefined) || !isWithoutEvent((known ?? expected)!)
  }
  // Windows with an unknown end are not compared: the page loads the rest when a user looks.
  const windows = new Set(
    [...page.windows.values()]
      .filter(
        ({ key, atNewest, atOldest, isLoaded }) => isLoaded && atNewest && atOldest && fresh.windows.has(key),
      )
      .map(({ key }) => key),
  )
  const present = (state: ChatState) => ({
    ...presentFacts(state, new Set(ignore)),
    messages: presentMessages(state, shown, withContent),
    windows: presentWindows(state, windows, shown),
  })
  return {
    applied: { ...present(page), unread: countedBy(page) },
    fresh: { ...present(fresh), unread: withoutArchived(fresh, unreadOfSnapshot(freshClient)) },
  }
}

/** Provides what the page would fetch by id now. Requests that the page forgets show in what it lacks afterwards. */
function fetchWanted(page: ChatState, fresh: ChatState): void {
  const asked = [...page.wanted, ...page.unread.toLookAt]
  const found = asked.flatMap((id) => fresh.messages.get(id) ?? [])
  settleWanted(page, beginFetch(page), asked, structuredClone(found))
}

/** Returns the page's unread messages in the form of `unread_msgs`. */
export function countedBy(page: ChatState) {
  const conversations = [...page.unread.conversations.values()].map(({ conversation, ids }) => [
    conversation.kind === 'topic'
      ? topicKey(conversation.channelId, conversation.topic)
      : directKey(conversation.peers.filter((id) => id !== page.me)),
    [...ids].sort((a, b) => a - b),
  ])
  return {
    count: totalUnread(page).count,
    mentions: unreadMentions(page),
    conversations: Object.fromEntries(conversations),
  }
}

/** Returns the server's own count without messages of archived channels, which the page does not count. */
export function withoutArchived(page: ChatState, unread: ReturnType<typeof unreadOfSnapshot>) {
  const archived = [...page.unread.byId.values()].filter(({ conversation: { conversation } }) => {
    return conversation.kind === 'topic' && page.channels.get(conversation.channelId)?.is_archived
  })
  const ids = new Set(archived.map(({ id }) => id))
  const counted = archived.filter(({ conversation: { conversation } }) => {
    return conversation.kind === 'topic' && !isTopicMuted(page, conversation.channelId, conversation.topic)
  })
  return {
    ...unread,
    count: unread.count - counted.length,
    mentions: unread.mentions.filter((id) => !ids.has(id)),
  }
}

function presentFacts(state: ChatState, ignored: ReadonlySet<string>): Json {
  const without = (facts: object, names: ReadonlySet<string> = ignored) =>
    Object.fromEntries(Object.entries(facts).filter(([name]) => !names.has(name)))
  const dropped = new Set([
    ...NOT_KEPT,
    ...ignored,
    ...[...ignored].map((name) => name.replace(/^realm_/, '')),
  ])
  const isWanted = (key: string) => !ignored.has(key)
  return {
    organization: without(state.organization, dropped),
    server: without(state.server, dropped),
    settings: isWanted('user_settings') ? state.settings : {},
    users: byKey(state.users, ({ avatar_url, ...user }) => user),
    groups: byKey(state.groups, (group) => ({ ...group, members: [...group.members].sort((a, b) => a - b) })),
    channels: byKey(state.channels, ({ announced: _announced, subscribers, ...channel }) => ({
      ...without(channelFacts(channel)),
      // The list `announced` is not compared: events named those users while the channel was new to the client.
      ...(subscribers && channel.subscription ? { subscribers: [...subscribers].sort((a, b) => a - b) } : {}),
    })),
    folders: byKey(state.folders, (folder) => folder),
    defaultChannels: state.defaultChannels,
    policies: Object.fromEntries(
      [...state.topicPolicies].map(([id, policies]) => [id, Object.fromEntries(policies)]),
    ),
    starred: [...state.starred].sort((a, b) => a - b),
    direct: isWanted('recent_private_conversations')
      ? recentDirect(state).map(({ conversation, newestId }) => [conversation.peers.join(), newestId])
      : [],
    presences: isWanted('presences') ? byKey(state.presences, (one) => one) : {},
    statuses: byKey(state.statuses, (one) => one),
    mutedUsers: [...state.mutedUsers].sort((a, b) => a - b),
    alertWords: state.alertWords,
    hasZoomToken: state.hasZoomToken,
    drafts: byKey(state.drafts, (one) => one),
    scheduled: byKey(state.scheduled, (one) => one),
    reminders: byKey(state.reminders, (one) => one),
    snippets: byKey(state.snippets, (one) => one),
    navigationViews: state.navigationViews,
    onboardingSteps: state.onboardingSteps,
    emoji: state.emoji,
    linkifiers: state.linkifiers,
    playgrounds: state.playgrounds,
    domains: [...state.domains].sort((a, b) => a.domain.localeCompare(b.domain)),
    profileFields: state.profileFields,
    bots: byKey(state.bots, (one) => one),
  }
}

/** Personal fields of a subscription; they are not compared after its end, since the server decides which of them stay. */
const PERSONAL = ['color', 'pin_to_top', 'is_muted', 'in_home_view', 'audible_notifications'] as const
const PERSONAL_TOO = [
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'wildcard_mentions_notify',
] as const

function channelFacts(channel: object): object {
  const facts: Record<string, unknown> = { ...channel }
  for (const name of [...PERSONAL, ...PERSONAL_TOO, 'partial_subscribers']) delete facts[name]
  return facts
}

function byKey<T>(map: ReadonlyMap<number, T>, present: (one: T) => unknown): Json {
  return Object.fromEntries([...map].map(([key, one]) => [key, present(one)]))
}

function presentMessages(state: ChatState, shown: (id: number) => boolean, withContent: boolean): Json {
  const messages = [...state.messages.values()].filter(({ id }) => shown(id)).sort((a, b) => a.id - b.id)
  return Object.fromEntries(
    messages.map((message) => [
      message.id,
      {
        conversation: narrowKey(narrowOf(conversationOf(message, state.me))),
        ...(withContent ? { content: message.content } : {}),
        flags: [...message.flags].sort(),
        reactions: message.reactions
          .map((one) => `${one.reaction_type} ${one.emoji_code} ${one.emoji_name} ${one.user_id}`)
          .sort(),
        submessages: message.submessages,
      },
    ]),
  )
}

function presentWindows(state: ChatState, keys: ReadonlySet<string>, shown: (id: number) => boolean): Json {
  return Object.fromEntries(
    [...state.windows.values()]
      .filter(({ key }) => keys.has(key))
      .map(({ key, ids }) => [key, ids.filter(shown)]),
  )
}
