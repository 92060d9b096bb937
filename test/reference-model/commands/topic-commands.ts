import type { ModelRun } from '../model-run.ts'
import { succeed } from '../person.ts'
import { type ModelMessage, POLICY } from '../reference-model.ts'
import {
  actorOf,
  type Command,
  channelOf,
  destinationName,
  isInOpenChannel,
  messageOf,
  pick,
  TOPICS,
} from './chosen.ts'

const RESOLVED = '✔ '
const MODES = ['change_one', 'change_later', 'change_all'] as const

const moveTopic: Command = async (run, action) => {
  const message = messageOf(run, action, (one) => isInOpenChannel(run, one))
  const topic = pick(TOPICS, action.where)!
  if (!message || message.topic === topic) return undefined
  return move(run, message, { topic }, action.who)
}

const moveChannel: Command = async (run, action) => {
  const message = messageOf(run, action, (one) => isInOpenChannel(run, one))
  const channel = channelOf(run, action, ({ isArchived }) => !isArchived)
  if (!message || !channel || message.channelId === channel.id) return undefined
  return move(run, message, { channelId: channel.id }, action.who)
}

const moveBoth: Command = async (run, action) => {
  const message = messageOf(run, action, (one) => isInOpenChannel(run, one))
  const channel = channelOf(run, action, ({ isArchived }) => !isArchived)
  const topic = pick(TOPICS, action.what + action.who)!
  if (!message || !channel || message.channelId === channel.id || message.topic === topic) return undefined
  return move(run, message, { channelId: channel.id, topic }, action.who)
}

/** Marks the topic of a message as resolved, or takes the mark off. */
const toggleResolved: Command = async (run, action) => {
  const message = messageOf(run, action, (one) => isInOpenChannel(run, one) && one.topic !== '')
  if (!message) return undefined
  const topic = isResolved(message.topic) ? message.topic.slice(RESOLVED.length) : RESOLVED + message.topic
  return move(run, message, { topic }, action.who)
}

function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED)
}

/** Moves a message, and others of its topic as the mode says: docs/interface/messages.md#what-moves. */
async function move(
  run: ModelRun,
  message: ModelMessage,
  to: { readonly channelId?: number; readonly topic?: string },
  modeNumber: number,
): Promise<string> {
  const { model, boss } = run
  const mode = pick(MODES, modeNumber)!
  const { channelId: from, topic: oldTopic } = message
  const destination = { channelId: to.channelId ?? from!, topic: to.topic ?? oldTopic }
  const there = model.inTopic(from!, oldTopic)
  const moved = there.filter(
    ({ id }) => mode === 'change_all' || id === message.id || (mode === 'change_later' && id > message.id),
  )
  await succeed(boss, 'PATCH', `/messages/${message.id}`, {
    stream_id: to.channelId,
    topic: to.topic,
    propagate_mode: mode,
    send_notification_to_new_thread: false,
  })
  if (moved.length === there.length)
    model.movePolicies([from!, oldTopic], [destination.channelId, destination.topic])
  const text = `The boss moves ${moved.map(({ id }) => id)} to ${destinationName(run, destination)}`
  model.move(moved, destination.channelId, to.topic)
  if (to.channelId !== undefined || !isToggle(oldTopic, destination.topic)) return text
  return `${text}, and ${await noticeOfToggle(run, destination)}`
}

function isToggle(oldTopic: string, newTopic: string): boolean {
  return newTopic === RESOLVED + oldTopic || oldTopic === RESOLVED + newTopic
}

/** Within a minute the opposite change deletes the notice again; it is read for all but followers of the topic. */
async function noticeOfToggle(
  run: ModelRun,
  destination: { channelId: number; topic: string },
): Promise<string> {
  const { model, boss } = run
  const newest = model.inTopic(destination.channelId, destination.topic).sort((a, b) => b.id - a.id)[0]
  if (newest?.isToggleNotice) {
    model.messages.delete(newest.id)
    return `notice ${newest.id} is taken back`
  }
  const state = isResolved(destination.topic) ? 'resolved' : 'unresolved'
  const content = `@_**${boss.fullName}|${boss.id}** has marked this topic as ${state}.`
  const notice = model.addChannelMessage(
    { ...(await run.newestNotice(destination)), ...destination, content },
    {},
    true,
  )
  for (const userId of notice.records) {
    const follows = model.policyOf(userId, destination.channelId, destination.topic) === POLICY.followed
    if (!follows || userId === boss.id) notice.read.add(userId)
  }
  return `notice ${notice.id} says so`
}

const setPolicy: Command = async (run, action) => {
  const person = actorOf(run, action)
  const channel = channelOf(run, action, ({ id }) => run.model.mayRead(person.id, id))
  if (!channel) return undefined
  const topic = pick([...TOPICS, `${RESOLVED}tides`], action.what)!
  const visibility_policy = (action.what % 5) % 4
  await succeed(person, 'POST', '/user_topics', { stream_id: channel.id, topic, visibility_policy })
  run.model.setPolicy(person.id, channel.id, topic, visibility_policy)
  const destination = destinationName(run, { channelId: channel.id, topic })
  return `${person.fullName} gives ${destination} the policy ${visibility_policy}`
}

/** Changes the setting for the action that follows a topic. */
const setFollowing: Command = async (run, action) => {
  const person = actorOf(run, action)
  const user = run.model.users.get(person.id)!
  user.follows = 1 + (action.what % 4)
  user.unmutes = 1 + (action.where % 4)
  user.followsMentions = action.what % 2 === 0
  await succeed(person, 'PATCH', '/settings', {
    automatically_follow_topics_policy: user.follows,
    automatically_unmute_topics_in_muted_streams_policy: user.unmutes,
    automatically_follow_topics_where_mentioned: user.followsMentions,
  })
  const { follows, unmutes, followsMentions } = user
  return `${person.fullName} follows on ${follows}, unmutes on ${unmutes}, where mentioned: ${followsMentions}`
}

const deleteTopic: Command = async (run, action) => {
  const { model, boss } = run
  const message = messageOf(run, action, (one) => isInOpenChannel(run, one))
  if (!message) return undefined
  const { channelId, topic } = message
  const found = model.inTopic(channelId!, topic)
  await succeed(boss, 'POST', `/streams/${channelId}/delete_topic`, { topic_name: topic })
  for (const { id } of found) model.messages.delete(id)
  for (const userId of model.users.keys()) model.setPolicy(userId, channelId!, topic, POLICY.none)
  return `The boss deletes ${destinationName(run, message)}: ${found.map(({ id }) => id)}`
}

export const TOPIC_COMMANDS = {
  moveTopic,
  moveChannel,
  moveBoth,
  toggleResolved,
  setPolicy,
  setFollowing,
  deleteTopic,
}
