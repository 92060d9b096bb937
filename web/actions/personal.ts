import { flush, state } from '../chat.ts'
import { learnSubscribers, setTopicPolicy } from '../state/channels.ts'
import { call } from './call.ts'
import type { EmojiChoice } from './reactions.ts'

/** Sets a topic's policy: 0 nothing, 1 muted, 2 unmuted, 3 followed. Shown at once. */
export async function choosePolicy(channelId: number, topic: string, policy: number): Promise<void> {
  setTopicPolicy(state, channelId, topic, policy, Math.floor(Date.now() / 1_000))
  flush()
  await call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: policy })
}

export async function setOwnChannelSetting(
  channelId: number,
  property: 'is_muted' | 'pin_to_top',
  value: boolean,
): Promise<void> {
  const subscription = state.channels.get(channelId)?.subscription
  if (!subscription) return
  subscription[property] = value
  state.changes.touch('channel', channelId)
  flush()
  await call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  })
}

export async function subscribe(name: string): Promise<void> {
  await call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
}

export async function unsubscribe(name: string): Promise<void> {
  await call('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
}

const asked = new Set<number>()

/** Loads the subscribers of a channel, if they are not known; fails silently. */
export async function loadSubscribers(channelId: number): Promise<void> {
  if (asked.has(channelId) || state.channels.get(channelId)?.subscribers) return
  asked.add(channelId)
  try {
    await fetchSubscribers(channelId)
  } catch {
    // The list is requested again when it is shown again.
  } finally {
    asked.delete(channelId)
  }
}

/** @throws ApiError, NetworkError */
export async function fetchSubscribers(channelId: number): Promise<void> {
  const { subscribers } = await call('GET', `/streams/${channelId}/members`)
  learnSubscribers(state, channelId, subscribers as number[])
  flush()
}

export async function changeSettings(settings: Record<string, unknown>): Promise<void> {
  Object.assign(state.settings, settings)
  state.changes.touch('settings')
  flush()
  await call('PATCH', '/settings', settings)
}

export async function setStatus(text: string): Promise<void> {
  await call('POST', '/users/me/status', { status_text: text })
}

/** Sets the emoji of the user's status; undefined removes it. */
export async function setStatusEmoji(emoji: EmojiChoice | undefined): Promise<void> {
  await call('POST', '/users/me/status', { ...(emoji ?? { emoji_name: '' }) })
}
