import { applyEvent } from './apply-event.ts'
import { openClient } from './client-state.ts'
import { compareStates } from './comparable-state.ts'
import { differencesBetween } from './differences.ts'
import { type Json, type Person, succeed } from './local-organization.ts'
import { MODERN_CLIENT, type ModelRun } from './model-run.ts'
import type { ModelMessage } from './reference-model.ts'

/** Of a channel's first message only the disappearance is told. */
const NOT_TOLD = ['first_message_id']

/** Everything in which the server differs from the model, or a client's state from a fresh one; [] is right. */
export async function differencesOf(run: ModelRun): Promise<string[]> {
  const found: string[] = []
  for (const person of run.people) {
    if (!run.model.users.get(person.id)!.isActive) continue
    const note = (what: string, left: Json, right: Json) => {
      for (const difference of differencesBetween(left, right)) {
        found.push(`${person.fullName}, ${what} ${difference}`)
      }
    }
    const fresh = await openClient(person, MODERN_CLIENT, { lists: false })
    await fresh.queue.end()
    note('messages', await messagesOf(run, person), expectedMessages(run, person.id))
    note('unread', unreadIn(run, fresh.state.register), expectedUnread(run, person.id))
    note('channels', channelsIn(run, fresh.state.register), expectedChannels(run, person.id))
    const { queue, state } = run.clients.get(person.id)!
    for (const event of await queue.events()) applyEvent(state, event)
    await queue.end()
    const { applied, fresh: expected } = compareStates(state, fresh.state, { ignore: NOT_TOLD })
    note('state after events', applied, expected)
  }
  return found
}

/** By id: where it is, what it says, and what the user has on it. */
async function messagesOf({ model }: ModelRun, person: Person): Promise<Json> {
  const readable = [...model.channels.keys()].filter((id) => model.mayRead(person.id, id))
  const narrows: Json[] = [[], ...readable.map((id) => [{ operator: 'channel', operand: id }])]
  const found: Record<number, Json> = {}
  for (const narrow of narrows) {
    const { messages } = await succeed(person, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 1_000,
      num_after: 0,
      narrow,
      apply_markdown: false,
      allow_empty_topic_name: true,
    })
    for (const one of messages) {
      const isOurs = one.type === 'private' ? model.messages.has(one.id) : model.channels.has(one.stream_id)
      if (!isOurs) continue
      found[one.id] = {
        place: one.type === 'private' ? 'direct' : `${one.stream_id} ${one.subject}`,
        content: one.content,
        flags: one.flags.sort().join(),
        reactions: one.reactions
          .map(({ user_id }: Json) => user_id)
          .sort()
          .join(),
      }
    }
  }
  return found
}

function expectedMessages({ model }: ModelRun, userId: number): Json {
  const seen = [...model.messages.values()].filter((message) => model.maySee(userId, message))
  return Object.fromEntries(
    seen.map((message) => [
      message.id,
      {
        place: placeOf(message),
        content: message.content,
        flags: flagsOf(message, userId),
        reactions: [...message.reactions].sort().join(),
      },
    ]),
  )
}

function placeOf({ channelId, topic }: ModelMessage): string {
  return channelId === undefined ? 'direct' : `${channelId} ${topic}`
}

function flagsOf({ records, read, starred }: ModelMessage, userId: number): string {
  if (!records.has(userId)) return 'historical,read'
  return [...(read.has(userId) ? ['read'] : []), ...(starred.has(userId) ? ['starred'] : [])].join()
}

function unreadIn({ model }: ModelRun, { unread_msgs }: Json): Json {
  const { streams, pms, huddles } = unread_msgs
  const ids = [...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids)
  const topics = streams.map(({ stream_id, topic, unread_message_ids }: Json) => [
    `${stream_id} ${topic}`,
    unread_message_ids.join(),
  ])
  return {
    ids: ids.filter((id) => model.messages.has(id)).sort((a, b) => a - b),
    topics: Object.fromEntries(topics),
    count: unread_msgs.count,
  }
}

function expectedUnread({ model }: ModelRun, userId: number): Json {
  const unread = model.unreadOf(userId)
  const inChannels = unread.filter(({ channelId }) => channelId !== undefined)
  return {
    ids: unread.map(({ id }) => id),
    topics: Object.fromEntries(
      [...Map.groupBy(inChannels, placeOf)].map(([place, found]) => [
        place,
        found.map(({ id }) => id).join(),
      ]),
    ),
    count: unread.filter((message) => !model.isMuted(userId, message)).length,
  }
}

function channelsIn({ model }: ModelRun, register: Json): Json {
  const ids = (channels: Json[]) =>
    channels
      .map(({ stream_id }) => stream_id)
      .filter((id) => model.channels.has(id))
      .sort((a, b) => a - b)
  return { subscribed: ids(register.subscriptions), visible: ids(register.streams) }
}

/** A private channel is seen by those in it, a public one by all but guests. */
function expectedChannels({ model }: ModelRun, userId: number): Json {
  const all = [...model.channels.values()]
  return {
    subscribed: all.filter(({ subscribers }) => subscribers.has(userId)).map(({ id }) => id),
    visible: all.filter(({ id }) => model.mayRead(userId, id)).map(({ id }) => id),
  }
}
