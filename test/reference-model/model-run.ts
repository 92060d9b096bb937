import { CLIENT_CAPABILITIES } from '../../src/events/queue.ts'
import type { ChatState } from '../../web/state/index.ts'
import type { Json } from '../support/json.ts'
import { applyEvent } from './apply-event.ts'
import { type ClientForm, type ClientState, openClient } from './client-state.ts'
import type { LocalOrganization } from './local-organization.ts'
import { applyToPage, openPage } from './page-client.ts'
import { type ClientQueue, type Person, type ReopenablePerson, succeed } from './person.ts'
import { type ChannelKind, type ModelMessage, ReferenceModel } from './reference-model.ts'

export const MODERN_CLIENT: ClientForm = {
  name: 'a modern client',
  capabilities: Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, true])),
  options: { apply_markdown: false, client_gravatar: true, slim_presence: true, include_subscribers: true },
}

/** A client that listens from the beginning, and the page's state after the same snapshot and events. */
export interface ModelClient {
  readonly queue: ClientQueue
  readonly state: ClientState
  readonly page: ChatState
}

export async function openModelClient(person: Person): Promise<ModelClient> {
  const opened = await openClient(person, MODERN_CLIENT, { lists: false })
  return { ...opened, page: openPage(opened.state) }
}

/** Gets the client's new events and applies them to its state. */
export async function hear({ queue, state, page }: ModelClient): Promise<void> {
  const events = await queue.events()
  applyToPage(page, events)
  for (const event of events) applyEvent(state, event)
}

/** One sequence: its people, the model of what they should see, and one long-lived client for each. */
export interface ModelRun {
  readonly organization: LocalOrganization
  /** An owner who is in every channel, so that nothing is hidden from the person who moves and deletes. */
  readonly boss: Person
  readonly people: readonly ReopenablePerson[]
  readonly model: ReferenceModel
  readonly clients: Map<number, ModelClient>
  /** A number that makes each text unique. */
  nextNumber(): number
  /** Descriptions of the actions so far. */
  readonly done: string[]
  /** Returns the newest notice of a bot in a topic, whose ids only the server knows. */
  newestNotice(conversation: {
    channelId: number
    topic: string
  }): Promise<Pick<ModelMessage, 'id' | 'senderId'>>
  /** The last direct message to anybody. */
  newestDirect(person: Person): Promise<Pick<ModelMessage, 'id' | 'senderId' | 'content'>>
}

/** Settings under which topics get no policy by themselves. */
export const WITHOUT_POLICIES = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  automatically_follow_topics_where_mentioned: false,
}

let sequences = 0

/** Starts a run with new people and channels, which earlier sequences have not touched. */
export async function startRun(organization: LocalOrganization): Promise<ModelRun> {
  sequences += 1
  const boss = organization.owner
  const model = new ReferenceModel()
  const people: ReopenablePerson[] = []
  for (const [name, role] of [
    ['Ann', 400],
    ['Ben', 300],
    ['Cid', 400],
    ['Guy', 600],
  ] as const) {
    const person = await organization.addPerson(`${name} ${sequences}`, role)
    people.push(person)
    model.addUser(person.id, role)
  }
  model.addUser(boss.id, 100)
  await makeGroups(boss, people, model)
  for (const [kind, settings] of KINDS) {
    const name = `${kind} ${sequences}`
    const members = kind === 'public' ? people : people.slice(0, 2)
    const isOpenToGroup = kind !== 'public'
    await succeed(boss, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [boss, ...members].map(({ id }) => id),
      ...(isOpenToGroup ? { can_subscribe_group: model.group.id } : {}),
      ...settings,
    })
    const { stream_id } = await succeed(boss, 'GET', '/get_stream_id', { stream: name })
    const subscribers = new Set([boss, ...members].map(({ id }) => id))
    const facts = { id: stream_id, name, kind, isArchived: false, isOpenToGroup }
    model.channels.set(stream_id, { ...facts, subscribers, muted: new Set() })
  }
  let numbers = 0
  await adoptNotices(boss, model)
  const clients: ModelRun['clients'] = new Map()
  await Promise.all(
    [boss, ...people].map(async (person) => {
      // The model does not cover the greeting of new users.
      await succeed(person, 'POST', '/mark_all_as_read')
      clients.set(person.id, await openModelClient(person))
    }),
  )
  return {
    organization,
    boss,
    people,
    model,
    clients,
    done: [],
    newestNotice: async ({ channelId, topic }) => {
      const narrow = [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: topic },
      ]
      const { id, sender_id } = await newestMessage(boss, narrow)
      return { id, senderId: sender_id }
    },
    newestDirect: async (person) => {
      const { id, sender_id, content } = await newestMessage(person, [{ operator: 'is', operand: 'dm' }])
      return { id, senderId: sender_id, content }
    },
    nextNumber: () => {
      numbers += 1
      return numbers
    },
  }
}

const KINDS: readonly (readonly [ChannelKind, Json])[] = [
  ['public', {}],
  ['shared', { invite_only: true, history_public_to_subscribers: true }],
  ['protected', { invite_only: true, history_public_to_subscribers: false }],
]

/** A group with one of the people, and one inside it with another. */
async function makeGroups(boss: Person, people: readonly Person[], model: ReferenceModel): Promise<void> {
  const make = async (name: string, member: Person, subgroups: readonly number[]) => {
    const facts = { name, description: 'some people', members: [member.id], subgroups }
    return (await succeed(boss, 'POST', '/user_groups/create', facts)).group_id as number
  }
  const [, inside, outside] = people as [Person, Person, Person]
  model.group.name = `group ${sequences}`
  model.innerGroup.id = await make(`inner ${sequences}`, inside, [])
  model.group.id = await make(model.group.name, outside, [model.innerGroup.id])
  model.innerGroup.members.add(inside.id)
  model.group.members.add(outside.id)
}

async function newestMessage(reader: Person, narrow: Json): Promise<Json> {
  const around = { anchor: 'newest', num_before: 1, num_after: 0 }
  const { messages } = await succeed(reader, 'GET', '/messages', { ...around, narrow, apply_markdown: false })
  return messages[0]
}

/** Each channel begins with a notice about itself, which for the people is as old as their welcome messages. */
async function adoptNotices(boss: Person, model: ReferenceModel): Promise<void> {
  const around = { anchor: 'newest', num_before: model.channels.size, num_after: 0, narrow: [] }
  const { messages } = await succeed(boss, 'GET', '/messages', { ...around, apply_markdown: false })
  for (const { id, sender_id, stream_id, subject, content } of messages) {
    const sent = { id, senderId: sender_id, channelId: stream_id, topic: subject, content }
    const notice = model.addChannelMessage(sent)
    for (const userId of notice.records) notice.read.add(userId)
  }
}
