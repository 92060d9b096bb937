import type { Json } from '../support/json.ts'
import { ClientQueue, type Person, succeed } from './person.ts'

/** How a client registers: its capabilities, and its options for messages. */
export interface ClientForm {
  readonly name: string
  readonly capabilities: Readonly<Record<string, boolean>>
  readonly options: Readonly<Record<string, unknown>>
  /** The client's name; a few things are spelled differently for it. */
  readonly userAgent?: string
  /** The level that it declares; by default none. */
  readonly level?: number | undefined
}

/** The location of an unread message, as a client keeps it. */
export interface UnreadMessage {
  /** Only for channel messages. */
  streamId?: number
  topic?: string
  /** Only for direct messages: the other participants, ascending; empty for messages to oneself. */
  others?: readonly number[]
  mentioned: boolean
  /** Mentioned by a wildcard: counts only where the topic is not muted. */
  wildcard: boolean
}

/** The state of a client: the snapshot, the messages that it may read, and lists that it fetches separately. */
export interface ClientState {
  readonly form: ClientForm
  readonly me: number
  readonly register: Json
  readonly messages: Map<number, Json>
  readonly unread: Map<number, UnreadMessage>
  attachments: Map<number, Json>
  /** `stale` after an event that asks the client to fetch the list again; undefined for users who may not see it. */
  invites: Json[] | 'stale' | undefined
  readonly typing: Set<string>
  /** Messages that events named and whose text the client does not have: it would have to fetch them. */
  readonly unknownMessages: Set<number>
  /** Subscribers that events named, of channels that became visible meanwhile: the channel's count has them already. */
  readonly peersOfNew: Map<number, Set<number>>
  /** Channels that the user left or joined meanwhile: their messages become visible or hidden without an event. */
  readonly changedChannels: Set<number>
}

/** Registers a queue and fetches what clients fetch along with it. */
export async function openClient(
  person: Person,
  form: ClientForm,
  extras: { lists?: boolean; messages?: boolean } = {},
): Promise<{ queue: ClientQueue; state: ClientState }> {
  const { userAgent, level } = form
  const isOwn = userAgent === undefined && level === undefined
  const user = isOwn ? person : person.using(userAgent ?? 'ModelTest/1.0', level)
  const snapshot = await succeed(user, 'POST', '/register', {
    client_capabilities: form.capabilities,
    ...form.options,
  })
  const queue = new ClientQueue(user, snapshot)
  const { messages } =
    extras.messages === false
      ? { messages: [] }
      : await succeed(user, 'GET', '/messages', {
          anchor: 'newest',
          num_before: 5_000,
          num_after: 0,
          apply_markdown: form.options.apply_markdown,
          client_gravatar: form.options.client_gravatar,
          allow_empty_topic_name: form.capabilities.empty_topic_name ?? false,
        })
  const byId = new Map<number, Json>(messages.map((message: Json) => [message.id, message]))
  const lists = extras.lists === false ? NO_LISTS : await fetchLists(user)
  return {
    queue,
    state: {
      form,
      me: user.id,
      register: snapshot,
      messages: byId,
      unread: unreadOf(snapshot, byId, user.id),
      ...lists,
      typing: new Set(),
      unknownMessages: new Set(),
      peersOfNew: new Map(),
      changedChannels: new Set(),
    },
  }
}

const NO_LISTS = { attachments: new Map<number, Json>(), invites: undefined }

async function fetchLists(user: Person) {
  const { attachments } = await succeed(user, 'GET', '/attachments')
  const invites = await user.request('GET', '/invites')
  return {
    attachments: new Map<number, Json>(attachments.map((one: Json) => [one.id, one])),
    invites: invites.status === 200 ? (invites.body.invites as Json[]) : undefined,
  }
}

function unreadOf(snapshot: Json, messages: ReadonlyMap<number, Json>, me: number) {
  const unread = new Map<number, UnreadMessage>()
  const mentions = new Set<number>(snapshot.unread_msgs.mentions)
  const add = (ids: number[], conversation: Partial<UnreadMessage>) => {
    for (const id of ids)
      unread.set(id, { ...conversation, ...mentionsOf(messages.get(id), mentions.has(id)) })
  }
  for (const { stream_id, topic, unread_message_ids } of snapshot.unread_msgs.streams) {
    add(unread_message_ids, { streamId: stream_id, topic })
  }
  for (const { other_user_id, unread_message_ids } of snapshot.unread_msgs.pms) {
    add(unread_message_ids, { others: other_user_id === me ? [] : [other_user_id] })
  }
  for (const { user_ids_string, unread_message_ids } of snapshot.unread_msgs.huddles) {
    add(unread_message_ids, {
      others: user_ids_string
        .split(',')
        .map(Number)
        .filter((id: number) => id !== me),
    })
  }
  return unread
}

/** Returns the mentions that a message's flags contain; for a message without text, those that the snapshot or event named. */
export function mentionsOf(
  message: Json,
  mentionedBefore: boolean,
): { mentioned: boolean; wildcard: boolean } {
  if (!message) return { mentioned: mentionedBefore, wildcard: false }
  return {
    mentioned: message.flags.includes('mentioned'),
    wildcard: message.flags.includes('wildcard_mentioned'),
  }
}

/** The other participants of a direct message. */
export function othersOf(message: Json, me: number): number[] {
  return message.display_recipient
    .map(({ id }: Json) => id)
    .filter((id: number) => id !== me)
    .sort((a: number, b: number) => a - b)
}
