import { comparedTexts, driftedSections } from '../../web/state/compared-state.ts'
import type { Json } from '../support/json.ts'
import { openClient } from './client-state.ts'
import { compareStates } from './comparable-state.ts'
import { differencesBetween } from './differences.ts'
import { hear, MODERN_CLIENT, type ModelRun } from './model-run.ts'
import { comparePages } from './page-client.ts'
import { type Person, succeed } from './person.ts'
import { type ModelMessage, POLICY, topicKey } from './reference-model.ts'

/** Events report a channel's first message only when it is deleted. */
const NOT_IN_EVENTS = ['first_message_id']

/**
 * Returns descriptions of everything in which the server differs from the model, or a client's state from a new one; [] if
 * all is right.
 */
export async function differencesOf(run: ModelRun): Promise<string[]> {
  const active = [run.boss, ...run.people].filter(({ id }) => run.model.users.get(id)!.isActive)
  return (await Promise.all(active.map((person) => differencesFor(run, person)))).flat()
}

async function differencesFor(run: ModelRun, person: Person): Promise<string[]> {
  const found: string[] = []
  const note = (what: string, left: Json, right: Json) => {
    for (const difference of differencesBetween(left, right)) {
      found.push(`${person.fullName}, ${what} ${difference}`)
    }
  }
  const fresh = await openClient(person, MODERN_CLIENT, { lists: false })
  const own = [...fresh.state.messages.values()]
  const client = run.clients.get(person.id)!
  const { queue, state, page } = client
  const [history] = await Promise.all([historyFor(run, person), hear(client), fresh.queue.end()])
  await queue.end()
  note('messages', messagesIn(run, [...own, ...history]), expectedMessages(run, person.id))
  note('unread', unreadIn(run, fresh.state.register), expectedUnread(run, person.id))
  note('channels', channelsIn(run, fresh.state.register), expectedChannels(run, person.id))
  note('topics', policiesIn(run, fresh.state.register), expectedPolicies(run, person.id))
  note('muted topics', mutedTopicsIn(run, fresh.state.register), expectedMutedTopics(run, person.id))
  note('stars', starsIn(run, fresh.state.register), expectedStars(run, person.id))
  for (const { register } of [state, fresh.state]) {
    // Nobody gets events about messages that are not visible to them.
    register.starred_messages = register.starred_messages.filter(
      (id: number) => !run.model.hiddenStars.has(`${person.id} ${id}`),
    )
    // Nor does an event name muted topics when their channel becomes visible again; `user_topics` has them all the time.
    register.muted_topics = register.muted_topics
      .map(([channel, topic]: Json) => `${channel} ${topicKey(topic)}`)
      .filter((one: string) => !isInHidden(run, person.id, one))
      .sort()
  }
  for (const id of page.starred) if (run.model.hiddenStars.has(`${person.id} ${id}`)) page.starred.delete(id)
  const options = {
    ignore: NOT_IN_EVENTS,
    // docs/interface/messages.md#events-of-an-edit: guests get no event about a topic that a move makes visible to them.
    comesSilently: (id: number) => run.model.messages.get(id)?.given.has(person.id) ?? false,
  }
  const { applied, fresh: expected } = compareStates(state, fresh.state, options)
  note('state after events', applied, expected)
  const { sections } = await succeed(person, 'GET', '/realm/digest', {})
  note('sections that drifted', await driftedSections(comparedTexts(page), sections), [])
  const pages = comparePages(page, state, fresh.state, { ...options, withContent: false })
  note('the page after events', pages.applied, pages.fresh)
  return found
}

/** Returns all messages that the user finds in readable channels, or gets by their ids. */
async function historyFor({ model }: ModelRun, person: Person): Promise<Json[]> {
  const readable = [...model.channels.keys()].filter((id) => model.mayRead(person.id, id))
  const around = { anchor: 'newest', num_before: 1_000, num_after: 0 }
  const asked = [
    { message_ids: [...model.messages.keys()] },
    ...readable.map((id) => ({ ...around, narrow: [{ operator: 'channel', operand: id }] })),
  ]
  const answers = await Promise.all(
    asked.map((params) =>
      succeed(person, 'GET', '/messages', { ...params, apply_markdown: false, allow_empty_topic_name: true }),
    ),
  )
  return answers.flatMap(({ messages }) => messages)
}

/** Returns the location, the text and the user's flags of each message, by id. */
function messagesIn({ model }: ModelRun, messages: readonly Json[]): Json {
  const isOurs = (one: Json) =>
    one.type === 'private' ? model.messages.has(one.id) : model.channels.has(one.stream_id)
  return Object.fromEntries(
    messages.filter(isOurs).map((one) => [
      one.id,
      {
        conversation: one.type === 'private' ? 'direct' : `${one.stream_id} ${one.subject}`,
        content: one.content,
        flags: one.flags.toSorted().join(),
        reactions: one.reactions
          .map(({ user_id }: Json) => user_id)
          .sort()
          .join(),
      },
    ]),
  )
}

function expectedMessages({ model }: ModelRun, userId: number): Json {
  const seen = [...model.messages.values()].filter((message) => model.maySee(userId, message))
  return Object.fromEntries(
    seen.map((message) => [
      message.id,
      {
        conversation: conversationOf(message),
        content: message.content,
        flags: flagsOf(message, userId),
        reactions: [...message.reactions].sort().join(),
      },
    ]),
  )
}

function conversationOf({ channelId, topic }: ModelMessage): string {
  return channelId === undefined ? 'direct' : `${channelId} ${topic}`
}

function flagsOf(message: ModelMessage, userId: number): string {
  if (!message.records.has(userId)) return 'historical,read'
  const isMentionedInChannel = isMentionedAsSubscriber(message, userId)
  const isMentionedInTopic = message.mentionedInTopic.has(userId)
  const flags: Readonly<Record<string, boolean>> = {
    historical: message.found.has(userId),
    mentioned: message.mentioned.has(userId),
    read: message.read.has(userId),
    starred: message.starred.has(userId),
    stream_wildcard_mentioned: isMentionedInChannel,
    topic_wildcard_mentioned: isMentionedInTopic,
    wildcard_mentioned: isMentionedInChannel || isMentionedInTopic,
  }
  return Object.keys(flags)
    .filter((flag) => flags[flag])
    .join()
}

/** A wildcard mentions everybody in the channel, but nobody who got the message in another way. */
function isMentionedAsSubscriber(
  { mentionsChannel, found, notMentioned }: ModelMessage,
  userId: number,
): boolean {
  return mentionsChannel && !found.has(userId) && !notMentioned.has(userId)
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
    mentions: unread_msgs.mentions.join(),
  }
}

function expectedUnread({ model }: ModelRun, userId: number): Json {
  const unread = model.unreadOf(userId)
  const inChannels = unread.filter(({ channelId }) => channelId !== undefined)
  return {
    ids: unread.map(({ id }) => id),
    topics: Object.fromEntries(
      // The topic is spelled as in its newest message.
      [...Map.groupBy(inChannels, (one) => topicKey(conversationOf(one))).values()].map((found) => [
        conversationOf(found.at(-1)!),
        found.map(({ id }) => id).join(),
      ]),
    ),
    count: unread.filter((message) => !model.isMuted(userId, message)).length,
    mentions: unread
      .filter((message) => {
        const isWildcard = isMentionedAsSubscriber(message, userId) || message.mentionedInTopic.has(userId)
        return message.mentioned.has(userId) || (isWildcard && !model.isMuted(userId, message))
      })
      .map(({ id }) => id)
      .join(),
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

function policiesIn({ model }: ModelRun, register: Json): Json {
  return Object.fromEntries(
    register.user_topics
      .filter(({ stream_id }: Json) => model.channels.has(stream_id))
      .map((one: Json) => [`${one.stream_id} ${topicKey(one.topic_name)}`, one.visibility_policy]),
  )
}

function expectedPolicies({ model }: ModelRun, userId: number): Json {
  const own = [...model.policies].filter(([key]) => key.startsWith(`${userId} `))
  return Object.fromEntries(own.map(([key, policy]) => [key.slice(`${userId} `.length), policy]))
}

/** The older list of muted topics: by name, and only of channels that the user can see. */
function mutedTopicsIn({ model }: ModelRun, { muted_topics }: Json): Json {
  const names = new Set([...model.channels.values()].map(({ name }) => name))
  return muted_topics
    .filter(([channel]: Json) => names.has(channel))
    .map(([channel, topic]: Json) => `${channel} ${topicKey(topic)}`)
    .sort()
}

function expectedMutedTopics({ model }: ModelRun, userId: number): Json {
  return [...model.policies]
    .filter(([key, policy]) => key.startsWith(`${userId} `) && policy === POLICY.muted)
    .map(([key]) => /^\d+ (\d+) (.*)$/.exec(key)!)
    .filter(([, channelId]) => model.isInView(userId, Number(channelId)))
    .map(([, channelId, topic]) => `${model.channels.get(Number(channelId))!.name} ${topic}`)
    .sort()
}

function isInHidden({ model }: ModelRun, userId: number, mutedTopic: string): boolean {
  return [...model.channels.values()].some(
    ({ id, name }) => mutedTopic.startsWith(`${name} `) && model.hiddenChannels.has(`${userId} ${id}`),
  )
}

/** Returns the starred messages that the model has: not the one that greeted the person. */
function starsIn({ model }: ModelRun, { starred_messages }: Json): Json {
  return starred_messages.filter((id: number) => model.messages.has(id))
}

function expectedStars({ model }: ModelRun, userId: number): Json {
  return [...model.messages.values()]
    .filter((message) => message.starred.has(userId) && model.maySee(userId, message))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}

/** A private channel is visible to its subscribers and to users who may join it, a public one to all but guests. */
function expectedChannels({ model }: ModelRun, userId: number): Json {
  const all = [...model.channels.values()]
  return {
    subscribed: all.filter(({ subscribers }) => subscribers.has(userId)).map(({ id }) => id),
    visible: all.filter(({ id }) => model.mayRead(userId, id)).map(({ id }) => id),
  }
}
