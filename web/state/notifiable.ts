import type { ChatState } from './chat-state.ts'
import { isMutedPerson } from './muted-people.ts'
import { isTopicMuted, TOPIC_POLICY, topicPolicy } from './topics.ts'
import type { Message } from './wire.ts'

/** How the user notices a message, by their settings. */
export interface Notifiable {
  /** Whether it is shown outside the page. */
  readonly isShown: boolean
  readonly isHeard: boolean
}

const UNNOTICED: Notifiable = { isShown: false, isHeard: false }

/** The reason why a message concerns its reader. The first that applies decides which settings count. */
type Cause = 'personal' | 'channel' | 'followed topic'

/**
 * Returns whether a new message is shown outside the page, and with sound. Direct messages, mentions and
 * alert words follow their own settings; others those of the topic if it is followed, else those of the
 * channel.
 */
export function notifiableOf(state: ChatState, message: Message): Notifiable {
  const isOwn = message.sender_id === state.me
  if (isOwn || message.flags.includes('read') || isMutedPerson(state, message.sender_id)) return UNNOTICED
  const found = causesOf(state, message).map((cause) => settingsFor(state, message, cause))
  return {
    isShown: found.some(({ isShown }) => isShown),
    isHeard: found.some(({ isHeard }) => isHeard),
  }
}

function causesOf(state: ChatState, message: Message): Cause[] {
  if (isPersonal(state, message)) return ['personal']
  const { stream_id, subject } = message
  if (stream_id === undefined || isTopicMuted(state, stream_id, subject)) return []
  return topicPolicy(state, stream_id, subject) === TOPIC_POLICY.followed
    ? ['followed topic', 'channel']
    : ['channel']
}

/**
 * Whether it is a direct message, a mention or an alert word. A wildcard mention counts if the user's setting says so, and not in muted
 * channels and topics; the channel's own setting wins over its mute, but not over that of the topic.
 */
function isPersonal(state: ChatState, { type, flags, stream_id, subject }: Message): boolean {
  if (type !== 'stream') return true
  if (flags.includes('mentioned') || flags.includes('has_alert_word')) return true
  const isToAll =
    flags.includes('wildcard_mentioned') ||
    flags.includes('stream_wildcard_mentioned') ||
    flags.includes('topic_wildcard_mentioned')
  if (!isToAll) return false
  const { settings } = state
  const policy = topicPolicy(state, stream_id!, subject)
  const ofChannel = state.channels.get(stream_id!)?.subscription?.wildcard_mentions_notify
  if (ofChannel ? policy === TOPIC_POLICY.muted : isTopicMuted(state, stream_id!, subject)) return false
  const isFollowed = policy === TOPIC_POLICY.followed
  return (
    (ofChannel ?? settings.wildcard_mentions_notify) ||
    (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify)
  )
}

function settingsFor({ settings, channels }: ChatState, { stream_id }: Message, cause: Cause): Notifiable {
  if (cause === 'personal') {
    return { isShown: settings.enable_desktop_notifications, isHeard: settings.enable_sounds }
  }
  if (cause === 'followed topic') {
    return {
      isShown: settings.enable_followed_topic_desktop_notifications,
      isHeard: settings.enable_followed_topic_audible_notifications,
    }
  }
  const subscription = channels.get(stream_id!)?.subscription
  if (!subscription) return UNNOTICED
  return {
    isShown: subscription.desktop_notifications ?? settings.enable_stream_desktop_notifications,
    isHeard: subscription.audible_notifications ?? settings.enable_stream_audible_notifications,
  }
}

/** Whether its content may be shown: of direct messages only by a setting. */
export function mayShowContent({ settings }: ChatState, message: Message): boolean {
  return message.type === 'stream' || settings.pm_content_in_desktop_notifications
}
