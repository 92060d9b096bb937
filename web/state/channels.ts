import type { Channel, ChatState } from './chat-state.ts'
import { topicKey } from './conversation.ts'
import { subscribedChannel } from './create-state.ts'
import { removeMessage } from './messages.ts'
import { channelOfNarrow } from './narrow.ts'
import { doubtStars } from './stars.ts'
import { dropUnreadOfChannel, lookAtMentions } from './unread.ts'
import { unloadByAttention } from './windows.ts'
import type { ChannelFolder, WireChannel, WireEvent, WireSubscription } from './wire.ts'

export function applyStream(state: ChatState, event: WireEvent): void {
  if (event.op === 'create') {
    for (const channel of event.streams as WireChannel[]) addChannel(state, channel)
    return
  }
  if (event.op === 'delete') {
    for (const id of event.stream_ids as number[]) removeChannel(state, id)
    return
  }
  const id = event.stream_id as number
  const channel = state.channels.get(id)
  if (!channel) return
  const { property, value } = event
  Object.assign(channel, { [property as string]: value })
  // What is unread in it counts no longer, or again.
  if (property === 'is_archived') lookAtMentions(state, id)
  for (const name of ['rendered_description', 'history_public_to_subscribers', 'is_web_public'] as const) {
    if (event[name] !== undefined) Object.assign(channel, { [name]: event[name] })
  }
  state.changes.touch('channel', id)
}

function addChannel(state: ChatState, channel: WireChannel): void {
  if (state.channels.has(channel.stream_id)) return
  state.channels.set(channel.stream_id, {
    ...channel,
    subscription: undefined,
    subscribers: undefined,
    announced: new Set(),
  })
  state.changes.touch('channel', channel.stream_id)
}

/**
 * Removes a channel that is no longer visible. It then has no events, so if it returns, everything is fetched again.
 */
function removeChannel(state: ChatState, id: number): void {
  state.channels.delete(id)
  state.topics.delete(id)
  for (const [key, { conversation }] of [...state.recent]) {
    if (conversation.kind === 'topic' && conversation.channelId === id) state.recent.delete(key)
  }
  for (const message of [...state.messages.values()]) {
    if (message.stream_id === id) removeMessage(state, message.id)
  }
  doubtStars(state, id)
  dropUnreadOfChannel(state, id)
  for (const { removedChannels } of state.fetches) removedChannels.add(id)
  for (const window of state.windows.values()) {
    if (channelOfNarrow(window.narrow) === id) window.isLoaded = false
  }
  state.changes.touch('channel', id)
  state.changes.touch('recent')
}

export function applySubscription(state: ChatState, event: WireEvent): void {
  switch (event.op) {
    case 'add':
      for (const wire of event.subscriptions as WireSubscription[]) {
        const known = state.channels.get(wire.stream_id)
        const channel = subscribedChannel(wire)
        channel.subscribers ??= withMe(known?.subscribers, state.me)
        state.channels.set(wire.stream_id, channel)
        state.changes.touch('channel', wire.stream_id)
        unloadChannel(state, wire.stream_id)
      }
      return
    case 'remove':
      for (const { stream_id } of event.subscriptions as { stream_id: number }[])
        unsubscribe(state, stream_id)
      return
    case 'update':
      updateSubscription(state, event)
      return
    default:
      for (const id of event.stream_ids as number[]) {
        changePeers(state, id, event.user_ids as number[], event.op === 'peer_add')
      }
  }
}

function withMe(subscribers: ReadonlySet<number> | undefined, me: number): Set<number> | undefined {
  return subscribers && new Set([...subscribers, me])
}

/** Drops the loaded messages of a channel, since there were no events for messages sent while the user was not in it. */
function unloadChannel(state: ChatState, channelId: number): void {
  for (const window of state.windows.values()) {
    if (window.narrow.some(({ operator, operand }) => operator === 'channel' && operand === channelId)) {
      window.atNewest = false
      state.changes.touch('window', window.key)
    }
  }
}

function unsubscribe(state: ChatState, channelId: number): void {
  const channel = state.channels.get(channelId)
  dropUnreadOfChannel(state, channelId)
  if (!channel?.subscription) return
  channel.subscription = undefined
  doubtStars(state, channelId)
  changePeers(state, channelId, [state.me], false)
}

function updateSubscription(state: ChatState, event: WireEvent): void {
  const id = event.stream_id as number
  const subscription = state.channels.get(id)?.subscription
  // `in_home_view` is the older form of `is_muted`.
  if (!subscription || event.property === 'in_home_view') return
  Object.assign(subscription, { [event.property as string]: event.value })
  if (event.property === 'is_muted') {
    lookAtMentions(state, id)
    unloadByAttention(state)
  }
  state.changes.touch('channel', id)
}

function changePeers(state: ChatState, channelId: number, userIds: readonly number[], join: boolean): void {
  const channel = state.channels.get(channelId)
  if (!channel) return
  const { subscribers, announced } = channel
  for (const id of userIds) {
    if (join) {
      subscribers?.add(id)
      announced?.add(id)
    } else subscribers?.delete(id)
  }
  if (!join) channel.subscriber_count -= userIds.length
  // The count of a newly visible channel already includes the people of the next events.
  else if (announced) channel.subscriber_count = Math.max(channel.subscriber_count, announced.size)
  else channel.subscriber_count += userIds.length
  if (!join) for (const id of userIds) announced?.delete(id)
  state.changes.touch('channel', channelId)
}

/** Takes the answer of GET /streams/{stream_id}/members. */
export function learnSubscribers(state: ChatState, channelId: number, userIds: readonly number[]): void {
  const channel = state.channels.get(channelId)
  if (!channel) return
  channel.subscribers = new Set(userIds)
  state.changes.touch('channel', channelId)
}

export function applyUserTopic(state: ChatState, event: WireEvent): void {
  setTopicPolicy(
    state,
    event.stream_id as number,
    event.topic_name as string,
    event.visibility_policy as number,
    event.last_updated as number,
  )
}

/** Sets a topic's policy. `lastUpdated` in UNIX seconds. */
export function setTopicPolicy(
  state: ChatState,
  channelId: number,
  topic: string,
  policy: number,
  lastUpdated: number,
): void {
  const ofChannel = state.topicPolicies.get(channelId) ?? new Map()
  if (policy === 0) ofChannel.delete(topicKey(topic))
  else ofChannel.set(topicKey(topic), { topic, policy, lastUpdated })
  if (ofChannel.size === 0) state.topicPolicies.delete(channelId)
  else state.topicPolicies.set(channelId, ofChannel)
  state.changes.touch('topic policy', channelId)
  lookAtMentions(state, channelId)
  unloadByAttention(state)
}

export function applyChannelFolder(state: ChatState, event: WireEvent): void {
  if (event.op === 'add') {
    const folder = event.channel_folder as ChannelFolder
    state.folders.set(folder.id, { ...folder })
  } else if (event.op === 'update') {
    const folder = state.folders.get(event.channel_folder_id as number)
    if (folder) Object.assign(folder, event.data)
  } else {
    const order = event.order as number[]
    for (const folder of state.folders.values()) folder.order = order.indexOf(folder.id)
  }
  state.changes.touch('folder')
}

/** Returns the folders in their order, without archived ones. */
export function foldersInOrder({ folders }: ChatState): ChannelFolder[] {
  return [...folders.values()].filter(({ is_archived }) => !is_archived).sort((a, b) => a.order - b.order)
}

/** Returns the user's channels, archived ones too. */
export function subscribedChannels({ channels }: ChatState): Channel[] {
  return [...channels.values()].filter(({ subscription }) => subscription !== undefined)
}

export function channelNamed({ channels }: ChatState, name: string): Channel | undefined {
  const wanted = nameKey(name)
  for (const channel of channels.values()) if (nameKey(channel.name) === wanted) return channel
  return undefined
}

/** Returns a key that is equal for names that the server treats as the same, except for rare letters and signs. */
function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
