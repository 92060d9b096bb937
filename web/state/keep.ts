import type { Channel, ChatState, Unread, UserGroup } from './chat-state.ts'
import type { KeptState } from './kept.ts'
import { recentConversations } from './recent.ts'
import { insertUnread, newUnread } from './unread.ts'
import type { User } from './wire.ts'

/** The limits of kept data. */
const KEPT = {
  conversations: 200,
  users: 2_000,
  unread: 5_000,
  topicsOfChannel: 100,
} as const

/** Returns the list of conversations; the messages are in the archive. It shares its parts with the state. */
export function keptOf(state: ChatState): KeptState {
  const { changes: _, outbox: __, ...parts } = state
  const recent = new Map(
    [...state.recent].sort(([, a], [, b]) => b.newestId - a.newestId).slice(0, KEPT.conversations),
  )
  const users = keptUsers(state)
  return {
    ...parts,
    queueId: '',
    users,
    groups: new Map([...state.groups].map(([id, group]) => [id, groupOfOne(group, state.me)])),
    channels: new Map(
      [...state.channels]
        .filter(([, { subscription }]) => subscription !== undefined)
        .map(([id, channel]) => [id, withoutPeople(channel)]),
    ),
    topics: new Map(
      [...state.topics].map(([id, { byKey }]) => {
        const newest = [...byKey].sort(([, a], [, b]) => b.newestId - a.newestId)
        return [id, { byKey: new Map(newest.slice(0, KEPT.topicsOfChannel)), isComplete: false }]
      }),
    ),
    unread: keptUnread(state.unread),
    messages: new Map(),
    windows: new Map(),
    fetches: new Set(),
    wanted: new Set(),
    stale: new Set(),
    moves: [],
    recent,
    // Presence is unknown without a network.
    presences: new Map(),
    statuses: new Map([...state.statuses].filter(([id]) => users.has(id))),
    typing: new Map(),
    bots: new Map(),
    integrations: [],
    attachments: undefined,
    ownGroups: undefined,
  }
}

function keptUsers(state: ChatState): Map<number, User> {
  const ids = new Set([state.me, ...[...state.messages.values()].map(({ sender_id }) => sender_id)])
  for (const { conversation } of recentConversations(state).slice(0, KEPT.conversations)) {
    if (conversation.kind === 'direct') for (const id of conversation.peers) ids.add(id)
  }
  for (const { user_id, is_active } of state.users.values()) {
    if (ids.size >= KEPT.users) break
    if (is_active) ids.add(user_id)
  }
  return new Map([...ids].flatMap((id) => (state.users.has(id) ? [[id, state.users.get(id)!]] : [])))
}

/** Only the user's own membership is needed; the lists of others may be long. */
function groupOfOne(group: UserGroup, me: number): UserGroup {
  return { ...group, members: new Set(group.members.has(me) ? [me] : []) }
}

function withoutPeople(channel: Channel): Channel {
  const { announced: _, ...others } = channel
  return { ...others, subscribers: undefined }
}

/** Those of the newest conversations. */
function keptUnread({ conversations, mentions, byId, isCut }: Unread): Unread {
  const kept = newUnread(isCut || byId.size > KEPT.unread)
  let room: number = KEPT.unread
  for (const { conversation, ids } of [...conversations.values()].sort((a, b) => b.newestId - a.newestId)) {
    const newest = [...ids].slice(-room)
    if (room <= 0) break
    room -= newest.length
    insertUnread(kept, conversation, newest, mentions)
  }
  return kept
}
