import type { Json } from '../support/json.ts'
import type { ClientState, UnreadMessage } from './client-state.ts'
import { othersOf } from './client-state.ts'

/** Keys that no event changes, each with its reason. */
const NOT_COMPARED = new Set([
  // Each registration has its own.
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presence_last_update_id',
  // It comes with a changed description, and is not in the snapshot.
  'realm_rendered_description',
  // A client counts up; the server counts what is left after a deletion.
  'max_message_id',
  // Compared below, as a client counts them.
  'unread_msgs',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
  // Rights for older clients, which follow from role, groups and the organization's permissions.
  'can_create_private_streams',
  'can_create_public_streams',
  'can_create_web_public_streams',
  'can_create_streams',
  'can_subscribe_other_users',
  'can_invite_others_to_realm',
])

/** Personal fields of a subscription. */
const PERSONAL = new Set([
  'audible_notifications',
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'wildcard_mentions_notify',
  'color',
  'pin_to_top',
  'is_muted',
  'in_home_view',
])

/** Two states to be compared: the first snapshot with all events applied, and a new one. */
export interface Comparison {
  readonly applied: Json
  readonly fresh: Json
}

/**
 * Returns both states in one form. `ignore`: keys of channels that the case has a reason not to compare. `comesSilently`: says
 * of a message whether it came to this user without an event.
 */
export function compareStates(
  applied: ClientState,
  fresh: ClientState,
  {
    ignore = [],
    comesSilently,
  }: { ignore?: readonly string[]; comesSilently?: (id: number) => boolean } = {},
): Comparison {
  const ignored = new Set(ignore)
  // A user who reacts to a message that was not sent to them gets a record of it, without an event.
  const isWithoutEvent = (id: number, message: Json) =>
    comesSilently?.(id) ||
    applied.unknownMessages.has(id) ||
    applied.changedChannels.has(message.stream_id) ||
    message.flags.includes('historical')
  const known = new Map(
    [...applied.messages].filter(([id, message]) => fresh.messages.has(id) || !isWithoutEvent(id, message)),
  )
  const expected = new Map(
    [...fresh.messages].filter(([id, message]) => known.has(id) || !isWithoutEvent(id, message)),
  )
  return {
    applied: {
      ...presentState(applied, ignored),
      unread: countedUnread(applied),
      messages: presentMessages(known, applied.me),
      invites: applied.invites === 'stale' ? fresh.invites : applied.invites,
    },
    fresh: {
      ...presentState(fresh, ignored),
      unread: unreadOfSnapshot(fresh),
      messages: presentMessages(expected, fresh.me),
      invites: fresh.invites,
    },
  }
}

function presentState(state: ClientState, ignored: ReadonlySet<string>): Json {
  const { register } = state
  const plain = Object.fromEntries(
    Object.entries(register).filter(([name]) => !NOT_COMPARED.has(name) && !ignored.has(name)),
  )
  const channel = (drop: ReadonlySet<string>) => (one: Json) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !ignored.has(name) && !drop.has(name)))
  return {
    ...plain,
    streams: byId(register.streams, 'stream_id').map(channel(new Set())),
    subscriptions: byId(register.subscriptions, 'stream_id').map(channel(new Set())),
    // A private channel that becomes visible again is new to the client, whatever it knew before.
    notSubscribed: byId([...register.unsubscribed, ...register.never_subscribed], 'stream_id').map(
      channel(PERSONAL),
    ),
    realm_users: byId(register.realm_users, 'user_id').map(withoutDetailsOfUnknown),
    realm_non_active_users: byId(register.realm_non_active_users, 'user_id').map(
      hearsOfErasure(state.form) ? (user: Json) => user : withoutErasure,
    ),
    realm_bots: byId(register.realm_bots, 'user_id'),
    realm_user_groups: byId(register.realm_user_groups, 'id'),
    user_topics: [...register.user_topics].sort(
      (a: Json, b: Json) => a.stream_id - b.stream_id || a.topic_name.localeCompare(b.topic_name),
    ),
    drafts: byId(register.drafts, 'id'),
    saved_snippets: byId(register.saved_snippets, 'id'),
    scheduled_messages: byId(register.scheduled_messages, 'scheduled_message_id'),
    realm_domains: [...register.realm_domains].sort((a: Json, b: Json) => a.domain.localeCompare(b.domain)),
    attachments: byId([...state.attachments.values()], 'id'),
    typing: [...state.typing],
  }
}

function byId(list: Json[], key: string): Json[] {
  return [...list].sort((a, b) => a[key] - b[key])
}

/** Whether events say that a profile was deleted, as the snapshot does. */
function hearsOfErasure({ level = 0 }: ClientState['form']): boolean {
  return level > 500
}

function withoutErasure({ is_deleted: _, ...user }: Json): Json {
  return user
}

/** A placeholder says only that a user exists. */
function withoutDetailsOfUnknown(user: Json): Json {
  const { user_id, full_name } = user
  return full_name === 'Unknown user' ? { user_id, full_name } : user
}

/** Names of senders and channels follow from the lists of users and channels. */
function presentMessages(messages: ReadonlyMap<number, Json>, me: number): Json[] {
  return [...messages.values()]
    .sort((a, b) => a.id - b.id)
    .map((message) => ({
      id: message.id,
      sender_id: message.sender_id,
      ...(message.type === 'private'
        ? { others: othersOf(message, me) }
        : { stream_id: message.stream_id, topic: message.subject }),
      content: message.content,
      flags: [...message.flags].sort(),
      reactions: message.reactions
        .map((one: Json) => `${one.reaction_type} ${one.emoji_code} ${one.emoji_name} ${one.user_id}`)
        .sort(),
      submessages: message.submessages,
    }))
}

interface PresentedUnread {
  readonly count: number
  readonly mentions: readonly number[]
  /** Ids by conversation. */
  readonly conversations: Readonly<Record<string, readonly number[]>>
}

/**
 * Returns the unread messages as the client counts them: muted ones are kept and not counted, and those in channels without
 * a subscription are left out.
 */
function countedUnread(state: ClientState): PresentedUnread {
  const subscribed = new Set<number>(state.register.subscriptions.map(({ stream_id }: Json) => stream_id))
  const unread = [...state.unread]
    .filter(([, { streamId }]) => streamId === undefined || subscribed.has(streamId))
    .sort(([a], [b]) => a - b)
  const conversations: Record<string, number[]> = {}
  for (const [id, { streamId, topic, others }] of unread) {
    const conversation = others ? directKey(others) : topicKey(streamId!, topic!)
    conversations[conversation] = [...(conversations[conversation] ?? []), id]
  }
  return {
    count: unread.filter(([, one]) => !isMuted(state, one)).length,
    mentions: unread
      .filter(([, one]) => one.mentioned || (one.wildcard && !isMuted(state, one)))
      .map(([id]) => id),
    conversations,
  }
}

function isMuted({ register }: ClientState, { streamId, topic }: UnreadMessage): boolean {
  if (streamId === undefined) return false
  const policy = register.user_topics.find(
    (one: Json) => one.stream_id === streamId && one.topic_name.toLowerCase() === topic!.toLowerCase(),
  )?.visibility_policy
  const channel = register.subscriptions.find(({ stream_id }: Json) => stream_id === streamId)
  return policy === 1 || (channel?.is_muted === true && policy !== 2 && policy !== 3)
}

/** Returns the unread messages of a snapshot. */
export function unreadOfSnapshot({ register, me }: Pick<ClientState, 'register' | 'me'>): PresentedUnread {
  const { count, mentions, streams, pms, huddles } = register.unread_msgs
  return {
    count,
    mentions,
    conversations: Object.fromEntries([
      ...streams.map((one: Json) => [topicKey(one.stream_id, one.topic), one.unread_message_ids]),
      ...pms.map((one: Json) => [
        directKey(one.other_user_id === me ? [] : [one.other_user_id]),
        one.unread_message_ids,
      ]),
      ...huddles.map((one: Json) => [
        directKey(
          one.user_ids_string
            .split(',')
            .map(Number)
            .filter((id: number) => id !== me),
        ),
        one.unread_message_ids,
      ]),
    ]),
  }
}

export function directKey(others: readonly number[]): string {
  return `with ${others.join()}`
}

/** A topic is the same in any case; the snapshot spells it alike for all its messages. */
export function topicKey(channelId: number, topic: string): string {
  return `${channelId} ${topic.toLowerCase()}`
}
