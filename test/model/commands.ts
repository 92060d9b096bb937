import fc from 'fast-check'
import { openClient } from './client-state.ts'
import { succeed } from './local-organization.ts'
import { MODERN_CLIENT, type ModelRun } from './model-run.ts'
import type { ModelMessage } from './reference-model.ts'

/** One thing that somebody does; numbers are taken round the lists of users, channels and messages. */
export interface Action {
  readonly kind: (typeof KINDS)[number]
  readonly who: number
  readonly where: number
  readonly what: number
  readonly evict: boolean
}

const KINDS = [
  'send',
  'send',
  'send',
  'write',
  'write',
  'edit',
  'moveTopic',
  'moveChannel',
  'delete',
  'react',
  'read',
  'unread',
  'star',
  'readAll',
  'subscribe',
  'unsubscribe',
  'muteChannel',
  'muteTopic',
  'changeRole',
  'deactivate',
  'reactivate',
] as const

const TOPICS = ['tides', 'nets', ''] as const

/** What happens between two registrations; now and then the object is put to sleep before. */
export const actions = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    who: fc.nat(20),
    where: fc.nat(20),
    what: fc.nat(60),
    evict: fc.nat(9).map((n) => n === 0),
  }),
  { minLength: 8, maxLength: 20 },
)

/** Does it in the server and in the model; nothing where the model says that it cannot be done. */
export async function perform(run: ModelRun, action: Action): Promise<void> {
  if (action.evict) await run.organization.evict()
  await ACTS[action.kind](run, action)
}

type Act = (run: ModelRun, action: Action) => Promise<void>

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)]
}

function actorOf({ people, model }: ModelRun, { who }: Action) {
  return pick(
    people.filter(({ id }) => model.users.get(id)!.isActive),
    who,
  )!
}

function channelOf({ model }: ModelRun, { where }: Action) {
  return pick([...model.channels.values()], where)!
}

function messageOf(
  { model }: ModelRun,
  { what }: Action,
  fits: (message: ModelMessage) => boolean = () => true,
): ModelMessage | undefined {
  return pick([...model.messages.values()].filter(fits), what)
}

const setFlag =
  (flag: 'read' | 'starred', op: 'add' | 'remove'): Act =>
  async (run, action) => {
    const person = actorOf(run, action)
    const { model } = run
    const message = messageOf(run, action, (one) => {
      if (!one.records.has(person.id) || !model.maySee(person.id, one)) return false
      // Marking as unread is for the channels that one is in (behaviour 4.19).
      return one.channelId === undefined || model.channels.get(one.channelId)!.subscribers.has(person.id)
    })
    if (!message) return
    await succeed(person, 'POST', '/messages/flags', { messages: [message.id], op, flag })
    const set = flag === 'read' ? message.read : message.starred
    if (op === 'add') set.add(person.id)
    else set.delete(person.id)
  }

const ACTS: Readonly<Record<Action['kind'], Act>> = {
  async send(run, action) {
    const person = actorOf(run, action)
    const channel = channelOf(run, action)
    if (!run.model.mayRead(person.id, channel.id)) return
    const topic = pick(TOPICS, action.what)!
    const content = `said ${run.nextNumber()}`
    const { id } = await succeed(person, 'POST', '/messages', {
      type: 'channel',
      to: channel.id,
      topic,
      content,
      read_by_sender: true,
    })
    run.model.addChannelMessage(id, person.id, channel.id, topic, content)
  },
  async write(run, action) {
    const person = actorOf(run, action)
    const open = run.people.filter(({ id }) => run.model.users.get(id)!.isActive)
    const others = [pick(open, action.where)!, ...(action.what % 3 === 0 ? [pick(open, action.what)!] : [])]
    const to = others.map(({ id }) => id)
    const content = `wrote ${run.nextNumber()}`
    const params = { type: 'direct', to, content, read_by_sender: true }
    const { id } = await succeed(person, 'POST', '/messages', params)
    run.model.addDirectMessage(id, person.id, to, content)
  },
  async edit(run, action) {
    const person = actorOf(run, action)
    const message = messageOf(
      run,
      action,
      (one) => one.senderId === person.id && run.model.maySee(person.id, one),
    )
    if (!message) return
    const content = `changed ${run.nextNumber()}`
    await succeed(person, 'PATCH', `/messages/${message.id}`, { content })
    message.content = content
  },
  async moveTopic(run, action) {
    const message = messageOf(run, action, ({ channelId }) => channelId !== undefined)
    const topic = pick(TOPICS, action.where)!
    if (!message || message.topic === topic) return
    const moved = movedWith(run, message, action.who)
    await succeed(run.boss, 'PATCH', `/messages/${message.id}`, {
      topic,
      propagate_mode: MODES[action.who % 3],
      send_notification_to_new_thread: false,
    })
    moveMutes(run, message, moved, message.channelId!, topic)
    run.model.move(moved, message.channelId!, topic)
  },
  async moveChannel(run, action) {
    const message = messageOf(run, action, ({ channelId }) => channelId !== undefined)
    const channel = channelOf(run, action)
    if (!message || message.channelId === channel.id) return
    const moved = movedWith(run, message, action.who)
    await succeed(run.boss, 'PATCH', `/messages/${message.id}`, {
      stream_id: channel.id,
      propagate_mode: MODES[action.who % 3],
      send_notification_to_new_thread: false,
    })
    moveMutes(run, message, moved, channel.id, message.topic)
    run.model.move(moved, channel.id, message.topic)
  },
  async delete(run, action) {
    const message = messageOf(run, action, ({ channelId }) => channelId !== undefined)
    if (!message) return
    await succeed(run.boss, 'DELETE', `/messages/${message.id}`)
    run.model.messages.delete(message.id)
  },
  async react(run, action) {
    const person = actorOf(run, action)
    const message = messageOf(run, action, (one) => run.model.maySee(person.id, one))
    if (!message) return
    const method = message.reactions.has(person.id) ? 'DELETE' : 'POST'
    await succeed(person, method, `/messages/${message.id}/reactions`, { emoji_name: 'tada' })
    if (method === 'POST') message.reactions.add(person.id)
    else message.reactions.delete(person.id)
  },
  read: setFlag('read', 'add'),
  unread: setFlag('read', 'remove'),
  star: setFlag('starred', 'add'),
  async readAll(run, action) {
    const person = actorOf(run, action)
    await succeed(person, 'POST', '/mark_all_as_read')
    for (const message of run.model.messages.values()) {
      if (message.records.has(person.id)) message.read.add(person.id)
    }
  },
  async subscribe(run, action) {
    const person = actorOf(run, action)
    const channel = channelOf(run, action)
    if (channel.subscribers.has(person.id)) return
    await succeed(run.boss, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: run.nameOf(channel.id) }],
      principals: [person.id],
      send_new_subscription_messages: false,
    })
    channel.subscribers.add(person.id)
  },
  async unsubscribe(run, action) {
    const person = actorOf(run, action)
    const channel = channelOf(run, action)
    if (!channel.subscribers.has(person.id)) return
    await succeed(person, 'DELETE', '/users/me/subscriptions', { subscriptions: [run.nameOf(channel.id)] })
    run.model.leave(person.id, channel.id)
  },
  async muteChannel(run, action) {
    const person = actorOf(run, action)
    const channel = channelOf(run, action)
    if (!channel.subscribers.has(person.id)) return
    const value = !channel.muted.has(person.id)
    const subscription_data = [{ stream_id: channel.id, property: 'is_muted', value }]
    await succeed(person, 'POST', '/users/me/subscriptions/properties', { subscription_data })
    if (value) channel.muted.add(person.id)
    else channel.muted.delete(person.id)
  },
  async muteTopic(run, action) {
    const person = actorOf(run, action)
    const channel = channelOf(run, action)
    if (!run.model.mayRead(person.id, channel.id)) return
    const topic = pick(TOPICS, action.what)!
    const key = `${person.id} ${channel.id} ${topic}`
    const isMuted = run.model.mutedTopics.has(key)
    const visibility_policy = isMuted ? 0 : 1
    await succeed(person, 'POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy })
    if (isMuted) run.model.mutedTopics.delete(key)
    else run.model.mutedTopics.add(key)
  },
  async changeRole(run, action) {
    const person = actorOf(run, action)
    const role = [400, 300, 600][action.what % 3]!
    await succeed(run.boss, 'PATCH', `/users/${person.id}`, { role })
    run.model.users.get(person.id)!.role = role
  },
  async deactivate(run, action) {
    const person = actorOf(run, action)
    // Somebody must be left to act.
    if ([...run.model.users.values()].filter(({ isActive }) => isActive).length < 3) return
    await succeed(run.boss, 'DELETE', `/users/${person.id}`)
    run.model.users.get(person.id)!.isActive = false
    run.clients.delete(person.id)
  },
  async reactivate(run, action) {
    const closed = run.people.filter(({ id }) => !run.model.users.get(id)!.isActive)
    const person = pick(closed, action.who)
    if (!person) return
    await succeed(run.boss, 'POST', `/users/${person.id}/reactivate`)
    run.model.users.get(person.id)!.isActive = true
    run.clients.set(person.id, await openClient(person, MODERN_CLIENT, { lists: false }))
  },
}

const MODES = ['change_one', 'change_later', 'change_all'] as const

function movedWith({ model }: ModelRun, message: ModelMessage, who: number): ModelMessage[] {
  const mode = MODES[who % 3]
  return [...model.messages.values()].filter(
    ({ id, channelId, topic }) =>
      id === message.id ||
      (mode !== 'change_one' &&
        channelId === message.channelId &&
        topic === message.topic &&
        (mode === 'change_all' || id > message.id)),
  )
}

/** Behaviour 4.2: when nothing is left of a topic, what users have set for it goes along. */
function moveMutes(
  { model }: ModelRun,
  { channelId, topic }: ModelMessage,
  moved: readonly ModelMessage[],
  newChannelId: number,
  newTopic: string,
): void {
  const inTopic = (channel: number, name: string) =>
    [...model.messages.values()].filter((one) => one.channelId === channel && one.topic === name)
  if (inTopic(channelId!, topic).length > moved.length) return
  const hadMessages = inTopic(newChannelId, newTopic).length > 0
  for (const userId of model.users.keys()) {
    const [from, to] = [`${userId} ${channelId} ${topic}`, `${userId} ${newChannelId} ${newTopic}`]
    const [wasMuted, isMuted] = [model.mutedTopics.has(from), model.mutedTopics.has(to)]
    model.mutedTopics.delete(from)
    const stays = hadMessages ? wasMuted && isMuted : wasMuted
    if (stays && model.mayRead(userId, newChannelId)) model.mutedTopics.add(to)
    else model.mutedTopics.delete(to)
  }
}
