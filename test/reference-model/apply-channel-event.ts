import type { Json } from '../support/json.ts'
import type { ClientState } from './client-state.ts'

const LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const

/** Channels, subscriptions, topics' policies, folders and the lists of default channels. Source: docs/interface/events.md#events-about-people; docs/interface/events.md#events-about-channels-and-groups. */
export function applyChannelEvent(state: ClientState, event: Json): boolean {
  const { register } = state
  switch (event.type) {
    case 'stream':
      changeChannels(state, event)
      return true
    case 'subscription':
      changeSubscriptions(state, event)
      return true
    case 'default_streams':
      register.realm_default_streams = event.default_streams
      return true
    case 'default_stream_groups':
      register.realm_default_stream_groups = event.default_stream_groups
      return true
    // Pins are not in the snapshot: who shows them asks for them.
    case 'channel_pins':
      return true
    case 'channel_folder':
      changeFolders(register, event)
      return true
    case 'muted_topics':
      register.muted_topics = event.muted_topics
      return true
    case 'user_topic':
      changeTopicPolicy(register, event)
      return true
    default:
      return false
  }
}

function changeChannels(state: ClientState, event: Json): void {
  const { register } = state
  if (event.op === 'create') {
    for (const channel of event.streams) addChannel(state, channel)
  } else if (event.op === 'delete') {
    const gone = new Set<number>(event.stream_ids)
    const remaining = (channels: Json[]) => channels.filter(({ stream_id }) => !gone.has(stream_id))
    register.streams = remaining(register.streams)
    for (const list of LISTS) register[list] = remaining(register[list])
    for (const id of gone) forgetChannel(state, id)
  } else {
    const { property, value, rendered_description, history_public_to_subscribers, is_web_public } = event
    const changes = {
      [property]: value,
      ...(rendered_description === undefined ? {} : { rendered_description }),
      ...(history_public_to_subscribers === undefined ? {} : { history_public_to_subscribers }),
      ...(is_web_public === undefined ? {} : { is_web_public }),
    }
    for (const channel of channelObjects(register, event.stream_id)) Object.assign(channel, changes)
  }
}

function addChannel(state: ClientState, channel: Json): void {
  const { register } = state
  if (register.streams.some(({ stream_id }: Json) => stream_id === channel.stream_id)) return
  register.streams.push({ ...channel })
  state.peersOfNew.set(channel.stream_id, new Set())
  if (LISTS.some((list) => register[list].some(({ stream_id }: Json) => stream_id === channel.stream_id))) {
    return
  }
  if (register.is_guest && !channel.is_web_public) return
  const withPeers = state.form.options.include_subscribers ? { ...channel, subscribers: [] } : { ...channel }
  register.never_subscribed.push(withPeers)
}

/**
 * Removes a channel that is no longer visible. No event reports what happens in it; if it becomes visible again, everything
 * in it is fetched again.
 */
function forgetChannel(state: ClientState, channelId: number): void {
  state.changedChannels.add(channelId)
  for (const [id, { stream_id }] of state.messages) if (stream_id === channelId) state.messages.delete(id)
}

function dropUnread(state: ClientState, channelId: number): void {
  for (const [id, { streamId }] of state.unread) if (streamId === channelId) state.unread.delete(id)
}

function channelObjects(register: Json, channelId: number): Json[] {
  return [register.streams, ...LISTS.map((list) => register[list])].flatMap((channels: Json[]) =>
    channels.filter(({ stream_id }) => stream_id === channelId),
  )
}

function changeSubscriptions(state: ClientState, event: Json): void {
  const { register, me } = state
  switch (event.op) {
    case 'add':
      for (const subscription of event.subscriptions) {
        for (const list of LISTS) register[list] = without(register[list], subscription.stream_id)
        register.subscriptions.push({ ...subscription })
        const { stream_id, subscriber_count } = subscription
        for (const channel of channelObjects(register, stream_id))
          Object.assign(channel, { subscriber_count })
        state.changedChannels.add(stream_id)
        state.peersOfNew.delete(stream_id)
      }
      return
    case 'remove':
      for (const { stream_id } of event.subscriptions) {
        const left = register.subscriptions.find((one: Json) => one.stream_id === stream_id)
        register.subscriptions = without(register.subscriptions, stream_id)
        if (left) register.unsubscribed.push(left)
        changePeers(state, stream_id, [me], false)
        state.changedChannels.add(stream_id)
        dropUnread(state, stream_id)
      }
      return
    case 'update': {
      const one = register.subscriptions.find(({ stream_id }: Json) => stream_id === event.stream_id)
      if (one) one[event.property] = event.value
      if (one && event.property === 'is_muted') one.in_home_view = !event.value
      return
    }
    default:
      for (const id of event.stream_ids) changePeers(state, id, event.user_ids, event.op === 'peer_add')
  }
}

function without(channels: Json[], channelId: number): Json[] {
  return channels.filter(({ stream_id }) => stream_id !== channelId)
}

function changePeers(
  { register, peersOfNew }: ClientState,
  channelId: number,
  userIds: readonly number[],
  join: boolean,
): void {
  const known = peersOfNew.get(channelId)
  for (const id of userIds) if (join) known?.add(id)
  for (const channel of channelObjects(register, channelId)) {
    if (!join) channel.subscriber_count -= userIds.length
    else if (known) channel.subscriber_count = Math.max(channel.subscriber_count, known.size)
    else channel.subscriber_count += userIds.length
    if (channel.subscribers === undefined) continue
    const subscribers = new Set<number>(channel.subscribers)
    for (const id of userIds) {
      if (join) subscribers.add(id)
      else subscribers.delete(id)
    }
    channel.subscribers = [...subscribers].sort((a, b) => a - b)
  }
  for (const id of userIds) if (!join) known?.delete(id)
}

function changeFolders(register: Json, event: Json): void {
  if (event.op === 'add') register.channel_folders.push(event.channel_folder)
  else if (event.op === 'update') {
    const folder = register.channel_folders.find(({ id }: Json) => id === event.channel_folder_id)
    Object.assign(folder, event.data)
  } else {
    for (const folder of register.channel_folders) folder.order = event.order.indexOf(folder.id)
  }
  register.channel_folders.sort((a: Json, b: Json) => a.order - b.order)
}

function changeTopicPolicy(register: Json, event: Json): void {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  register.user_topics = register.user_topics.filter(
    (one: Json) => one.stream_id !== stream_id || one.topic_name.toLowerCase() !== topic_name.toLowerCase(),
  )
  if (visibility_policy === 0) return
  register.user_topics.push({ stream_id, topic_name, last_updated, visibility_policy })
}
