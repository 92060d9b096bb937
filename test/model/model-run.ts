import { CLIENT_CAPABILITIES } from '../../src/events/queue.ts'
import { type ClientForm, type ClientState, openClient } from './client-state.ts'
import {
  type Json,
  type LocalOrganization,
  type LocalQueue,
  type Person,
  succeed,
} from './local-organization.ts'
import { type ModelChannel, ReferenceModel } from './reference-model.ts'

export const MODERN_CLIENT: ClientForm = {
  name: 'a modern client',
  capabilities: Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, true])),
  options: { apply_markdown: false, client_gravatar: true, slim_presence: true, include_subscribers: true },
}

/** One sequence: the people, the model of what they should see, and one long-lived client for each. */
export interface ModelRun {
  readonly organization: LocalOrganization
  /** Owner; in every channel, so that nothing is hidden from who moves and deletes. */
  readonly boss: Person
  readonly people: readonly Person[]
  readonly model: ReferenceModel
  readonly clients: Map<number, { readonly queue: LocalQueue; readonly state: ClientState }>
  nameOf(channelId: number): string
  /** Texts are told apart by it. */
  nextNumber(): number
}

/** Settings under which topics get no policy by themselves. */
export const WITHOUT_POLICIES = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  automatically_follow_topics_where_mentioned: false,
}

let sequences = 0

/** New people and channels: what earlier sequences did is none of theirs. */
export async function startRun(organization: LocalOrganization): Promise<ModelRun> {
  sequences += 1
  const boss = organization.owner
  const model = new ReferenceModel()
  const people: Person[] = []
  for (const [name, role] of [
    ['Ann', 400],
    ['Ben', 300],
    ['Cid', 400],
    ['Guy', 600],
  ] as const) {
    const person = await organization.addPerson(`${name} ${sequences}`, role)
    people.push(person)
    model.users.set(person.id, { id: person.id, role, isActive: true })
  }
  model.users.set(boss.id, { id: boss.id, role: 100, isActive: true })
  const names = new Map<number, string>()
  for (const [kind, settings] of KINDS) {
    const name = `${kind} ${sequences}`
    const members = kind === 'public' ? people : people.slice(0, 2)
    await succeed(boss, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [boss, ...members].map(({ id }) => id),
      ...settings,
    })
    const { stream_id } = await succeed(boss, 'GET', '/get_stream_id', { stream: name })
    const subscribers = new Set([boss, ...members].map(({ id }) => id))
    model.channels.set(stream_id, { id: stream_id, kind, subscribers, muted: new Set() })
    names.set(stream_id, name)
    await removeNotices(boss, stream_id)
  }
  let numbers = 0
  const clients: ModelRun['clients'] = new Map()
  for (const person of people) {
    // What greets newcomers is none of the model's business.
    await succeed(person, 'POST', '/mark_all_as_read')
    clients.set(person.id, await openClient(person, MODERN_CLIENT, { lists: false }))
  }
  return {
    organization,
    boss,
    people,
    model,
    clients,
    nameOf: (id) => names.get(id)!,
    nextNumber: () => {
      numbers += 1
      return numbers
    },
  }
}

const KINDS: readonly (readonly [ModelChannel['kind'], Json])[] = [
  ['public', {}],
  ['shared', { invite_only: true, history_public_to_subscribers: true }],
  ['protected', { invite_only: true, history_public_to_subscribers: false }],
]

async function removeNotices(boss: Person, channelId: number): Promise<void> {
  const { messages } = await succeed(boss, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: channelId }],
  })
  for (const { id } of messages) await succeed(boss, 'DELETE', `/messages/${id}`)
}
