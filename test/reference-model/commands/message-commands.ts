import type { ModelRun } from '../model-run.ts'
import { type Person, succeed } from '../person.ts'
import type { Mentions, ModelMessage } from '../reference-model.ts'
import {
  type Action,
  actorOf,
  type Command,
  channelOf,
  destinationName,
  messageOf,
  pick,
  TOPICS,
} from './chosen.ts'

/** A unique text, and the users that it mentions. */
function textOf(run: ModelRun, { who, what }: Action, word: string): { content: string; mentions: Mentions } {
  const text = `${word} ${run.nextNumber()}`
  const named = pick(run.people, who + what)!
  switch (what % 11) {
    case 7:
      return { content: `${text} @**${named.fullName}|${named.id}**`, mentions: { users: [named.id] } }
    case 8:
      return { content: `${text} @*${run.model.group.name}*`, mentions: { group: true } }
    case 9:
      return { content: `${text} @**all**`, mentions: { channel: true } }
    case 10:
      return { content: `${text} @**topic**`, mentions: { topic: true } }
    default:
      return { content: text, mentions: {} }
  }
}

const send: Command = async (run, action) => {
  const person = actorOf(run, action)
  const channel = channelOf(run, action, ({ id }) => run.model.maySend(person.id, id))
  if (!channel) return undefined
  const name = pick(TOPICS, action.what)!
  const topic = action.what % 4 === 3 ? name.toUpperCase() : name
  const { content, mentions } = textOf(run, action, 'said')
  const isFirst = !run.model.inTopic(channel.id, topic).some((one) => run.model.maySee(person.id, one))
  const params = { type: 'channel', to: channel.id, topic, content, read_by_sender: true }
  const { id } = await succeed(person, 'POST', '/messages', params)
  const sent = { id, senderId: person.id, channelId: channel.id, topic, content }
  const message = run.model.addChannelMessage(sent, mentions)
  run.model.takePart(person.id, message, isFirst ? [1, 2, 3] : [1, 2])
  run.model.followMentions(message, mentions.users ?? [])
  return `${person.fullName} sends ${id} to ${destinationName(run, message)}: ${content}`
}

const write: Command = async (run, action) => {
  const person = actorOf(run, action)
  const open = run.people.filter(({ id }) => run.model.users.get(id)!.isActive)
  const others = [pick(open, action.where)!, ...(action.what % 3 === 0 ? [pick(open, action.what)!] : [])]
  const to = others.map(({ id }) => id)
  const { content, mentions } = textOf(run, action, 'wrote')
  const params = { type: 'direct', to, content, read_by_sender: true }
  const { id } = await succeed(person, 'POST', '/messages', params)
  run.model.addDirectMessage({ id, senderId: person.id, content }, to, mentions)
  return `${person.fullName} writes ${id} to ${others.map(({ fullName }) => fullName)}: ${content}`
}

const edit: Command = async (run, action) => {
  const person = actorOf(run, action)
  const isOwn = (one: ModelMessage) => one.senderId === person.id && run.model.mayModify(person.id, one)
  const message = messageOf(run, action, isOwn)
  if (!message) return undefined
  const { content, mentions } = textOf(run, action, 'changed')
  await succeed(person, 'PATCH', `/messages/${message.id}`, { content })
  run.model.edit(message, content, mentions)
  return `${person.fullName} edits ${message.id}: ${content}`
}

const remove: Command = async (run, action) => {
  const { model, boss } = run
  const isThere = (one: ModelMessage) => one.channelId !== undefined && model.mayModify(boss.id, one)
  const message = messageOf(run, action, isThere)
  if (!message) return undefined
  await succeed(boss, 'DELETE', `/messages/${message.id}`)
  model.messages.delete(message.id)
  return `The boss deletes ${message.id}`
}

const removeDirect: Command = async (run, action) => {
  const person = actorOf(run, action)
  const isOwn = (one: ModelMessage) => one.channelId === undefined && one.senderId === person.id
  const message = messageOf(run, action, isOwn)
  if (!message) return undefined
  await succeed(person, 'DELETE', `/messages/${message.id}`)
  run.model.messages.delete(message.id)
  return `${person.fullName} deletes ${message.id}`
}

const react: Command = async (run, action) => {
  const person = actorOf(run, action)
  const message = messageOf(run, action, (one) => run.model.mayModify(person.id, one))
  if (!message) return undefined
  const method = message.reactions.has(person.id) ? 'DELETE' : 'POST'
  await succeed(person, method, `/messages/${message.id}/reactions`, { emoji_name: 'tada' })
  if (method === 'DELETE') message.reactions.delete(person.id)
  else {
    message.reactions.add(person.id)
    run.model.keep(person.id, message)
    run.model.takePart(person.id, message, [1])
  }
  return `${person.fullName} reacts to ${message.id}: ${method}`
}

/** Only subscribers can mark as read or unread; a user who flags any other message gets a record of it. */
const setFlag =
  (flag: 'read' | 'starred', op: 'add' | 'remove'): Command =>
  async (run, action) => {
    const person = actorOf(run, action)
    const message = messageOf(run, action, (one) => mayFlag(run, person, one, flag))
    if (!message) return undefined
    await succeed(person, 'POST', '/messages/flags', { messages: [message.id], op, flag })
    if (flag === 'read' ? op === 'remove' : op === 'add') run.model.keep(person.id, message)
    const set = flag === 'read' ? message.read : message.starred
    if (message.records.has(person.id)) {
      if (op === 'add') set.add(person.id)
      else set.delete(person.id)
    }
    return `${person.fullName} flags ${message.id}: ${op} ${flag}`
  }

function mayFlag(
  { model }: ModelRun,
  { id }: Person,
  message: ModelMessage,
  flag: 'read' | 'starred',
): boolean {
  if (!model.maySee(id, message)) return false
  if (flag === 'starred' || message.channelId === undefined) return true
  return model.channels.get(message.channelId)!.subscribers.has(id)
}

const readAll: Command = async (run, action) => {
  const person = actorOf(run, action)
  await succeed(person, 'POST', '/mark_all_as_read')
  for (const message of run.model.messages.values()) {
    if (message.records.has(person.id)) message.read.add(person.id)
  }
  return `${person.fullName} has read everything`
}

export const MESSAGE_COMMANDS = {
  send,
  write,
  edit,
  remove,
  removeDirect,
  react,
  read: setFlag('read', 'add'),
  unread: setFlag('read', 'remove'),
  star: setFlag('starred', 'add'),
  unstar: setFlag('starred', 'remove'),
  readAll,
}
