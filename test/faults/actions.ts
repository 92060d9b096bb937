import { type ClientQueue, requireSuccess, succeed } from '../reference-model/person.ts'
import type { Json } from '../support/json.ts'
import { world } from '../support/world.ts'
import type { FaultSchedule } from './fault-schedule.ts'
import type { PatientPerson } from './patient-person.ts'

/** The state of a run: its people, and the changes that the server has acknowledged. */
export interface FaultRun {
  readonly schedule: FaultSchedule
  readonly people: readonly PatientPerson[]
  readonly queues: readonly ClientQueue[]
  /** Public, with everybody in it; and private. */
  readonly channels: readonly number[]
  /** The contents of acknowledged messages that were not deleted, by id. */
  readonly said: Map<number, string>
  readonly deleted: Set<number>
  /** Texts of scheduled messages; each must be found once for every time that it was scheduled, when all are due. */
  readonly scheduled: string[]
  readonly drafts: string[]
  /** Files by address: the content, and the owner, who may read it even when the message is gone. */
  readonly files: Map<string, { readonly content: string; readonly owner: PatientPerson }>
  /** Addresses that were invited. */
  readonly invited: string[]
  /** Descriptions of the actions so far. */
  readonly done: string[]
}

type Act = (run: FaultRun, actor: PatientPerson, pick: Pick) => Promise<void>

/** Picks an item of a list by the run's seed. */
type Pick = <Item>(items: readonly Item[]) => Item

/** Returns a text that is used nowhere else. */
function mark(): string {
  return `m${crypto.randomUUID().replaceAll('-', '')}`
}

function ownMessage(run: FaultRun, pick: Pick): number | undefined {
  const ids = [...run.said.keys()]
  return ids.length === 0 ? undefined : pick(ids)
}

async function send(run: FaultRun, actor: PatientPerson, params: Json): Promise<void> {
  const content = mark()
  const { id } = await succeed(actor, 'POST', '/messages', { ...params, content })
  if (run.said.has(id)) throw new Error(`Two messages have the id ${id}`)
  run.said.set(id, content)
}

/** Makes a request that may be refused, since another user may have been first. Returns whether it succeeded. */
async function perhaps(actor: PatientPerson, method: string, path: string, params: Json): Promise<boolean> {
  const { status } = await actor.request(method, path, params)
  return status === 200
}

const topics = ['plans', 'lunch', '']

const ACTS: Readonly<Record<string, { readonly weight: number; readonly act: Act }>> = {
  'sends to a channel': {
    weight: 12,
    act: (run, actor, pick) =>
      send(run, actor, { type: 'channel', to: pick(run.channels), topic: pick(topics) }),
  },
  'writes to somebody': {
    weight: 6,
    act: (run, actor, pick) => send(run, actor, { type: 'direct', to: [pick(run.people).id] }),
  },
  'edits a message': {
    weight: 6,
    async act(run, actor, pick) {
      const id = ownMessage(run, pick)
      if (id === undefined) return
      const content = mark()
      const isDone = await perhaps(actor, 'PATCH', `/messages/${id}`, { content })
      // A deletion may follow the edit, and be answered before it.
      if (isDone && !run.deleted.has(id)) run.said.set(id, content)
    },
  },
  'moves a topic': {
    weight: 3,
    async act(run, actor, pick) {
      const id = ownMessage(run, pick)
      if (id === undefined) return
      const params = { topic: pick(['plans', 'lunch', 'elsewhere']), propagate_mode: 'change_all' }
      await perhaps(actor, 'PATCH', `/messages/${id}`, params)
    },
  },
  'deletes a message': {
    weight: 2,
    async act(run, actor, pick) {
      const id = ownMessage(run, pick)
      if (id === undefined) return
      if (!(await perhaps(actor, 'DELETE', `/messages/${id}`, {}))) return
      run.said.delete(id)
      run.deleted.add(id)
    },
  },
  reacts: {
    weight: 4,
    async act(run, actor, pick) {
      const id = ownMessage(run, pick)
      if (id === undefined) return
      const emoji_name = pick(['tada', 'heart'])
      await perhaps(actor, pick(['POST', 'DELETE']), `/messages/${id}/reactions`, { emoji_name })
    },
  },
  reads: {
    weight: 5,
    async act(run, actor, pick) {
      const messages = [...run.said.keys()].filter(() => pick([true, false]))
      const [op, flag] = [pick(['add', 'remove']), pick(['read', 'read', 'starred'])]
      if (messages.length > 0) await perhaps(actor, 'POST', '/messages/flags', { messages, op, flag })
    },
  },
  'reads all of a channel': {
    weight: 2,
    async act(run, actor, pick) {
      const narrow = [{ operator: 'channel', operand: pick(run.channels) }]
      const params = { anchor: 'oldest', num_before: 0, num_after: 500, op: 'add', flag: 'read', narrow }
      await perhaps(actor, 'POST', '/messages/flags/narrow', params)
    },
  },
  'writes a draft': {
    weight: 3,
    async act(run, actor, pick) {
      const content = mark()
      const draft = { type: 'stream', to: [pick(run.channels)], topic: 'plans', content }
      await succeed(actor, 'POST', '/drafts', { drafts: [draft] })
      run.drafts.push(`${actor.id} ${content}`)
    },
  },
  'schedules a message': {
    weight: 3,
    async act(run, actor, pick) {
      const content = mark()
      const now = Math.floor(Date.now() / 1_000) + world.clockOffset
      await succeed(actor, 'POST', '/scheduled_messages', {
        type: 'channel',
        to: pick(run.channels),
        topic: 'plans',
        content,
        // The clock may jump ahead by two hours before the request arrives.
        scheduled_delivery_timestamp: now + 10_800 + run.schedule.draw('due', 60),
      })
      run.scheduled.push(content)
    },
  },
  'sends a file': {
    weight: 3,
    async act(run, actor, pick) {
      const content = mark()
      const file = new File([content], 'notes.txt', { type: 'text/plain' })
      const { url } = requireSuccess(
        { status: 200, body: await actor.postFile('/user_uploads', file) },
        'upload',
      )
      run.files.set(url, { content, owner: actor })
      const text = `${mark()} [notes](${url})`
      const params = { type: 'channel', to: pick(run.channels), topic: 'files', content: text }
      const { id } = await succeed(actor, 'POST', '/messages', params)
      run.said.set(id, text)
    },
  },
  invites: {
    weight: 1,
    async act(run, actor) {
      const email = `${mark()}@example.com`
      const params = { invitee_emails: email, invite_as: 400, stream_ids: [] }
      if (await perhaps(actor, 'POST', '/invites', params)) run.invited.push(email)
    },
  },
  'changes the name': {
    weight: 1,
    act: async (_, actor) =>
      void (await succeed(actor, 'PATCH', '/settings', { full_name: `Name ${mark()}`.slice(0, 60) })),
  },
  'follows a topic': {
    weight: 2,
    async act(run, actor, pick) {
      const params = { stream_id: pick(run.channels), topic: 'plans', visibility_policy: pick([0, 1, 2, 3]) }
      await succeed(actor, 'POST', '/user_topics', params)
    },
  },
  'the clock jumps': {
    weight: 1,
    async act(run, _, pick) {
      world.clockOffset = pick([-3_600, 0, 3_600])
      run.done.push(`the clock is ${world.clockOffset} s off`)
    },
  },
}

const WEIGHTED = Object.entries(ACTS).flatMap(([name, { weight, act }]) =>
  Array.from({ length: weight }, () => ({ name, act })),
)

/** Lets one person do one thing, chosen by the seed. */
export async function actOnce(run: FaultRun, actorIndex: number): Promise<void> {
  const pick: Pick = (items) => items[run.schedule.draw(`choice of ${actorIndex}`, items.length)]!
  const { name, act } = pick(WEIGHTED)
  const actor = run.people[actorIndex]!
  run.done.push(`${actor.id} ${name}`)
  await act(run, actor, pick)
}
