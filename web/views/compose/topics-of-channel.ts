import { useEffect } from 'preact/hooks'
import { loadTopics } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'
import { topicsPolicyOf } from '../../state/channel-permissions.ts'
import type { Conversation } from '../../state/conversation.ts'
import { t } from '../../texts/texts.ts'
import { isUnnamedChosen } from './compose-state.ts'

/** Loads the topics of a channel where they are not known. */
export function useTopics(channelId: number | undefined): void {
  watch(`topics of channel ${channelId ?? 0}`)
  useEffect(() => {
    if (channelId !== undefined && !state.topics.get(channelId)?.isComplete)
      loadTopics(channelId).catch(() => {})
  }, [channelId])
}

/** Returns the topic that a typed name means: the name that is shown for the topic without one is that topic. */
export function topicTyped(typed: string): string {
  const name = typed.trim()
  return name === t.emptyTopic || name === state.organization.empty_topic_display_name ? '' : name
}

/** Returns whether a message in the channel must have a topic with a name, or may have none with one, and what an empty field for it shows. */
export function topicNeedOf(channelId: number): {
  readonly required: boolean
  readonly isFixed: boolean
  readonly placeholder: string
} {
  const channel = state.channels.get(channelId)
  const policy = channel && topicsPolicyOf(state, channel)
  const required = policy === 'disable_empty_topic'
  return {
    required,
    isFixed: policy === 'empty_topic_only',
    placeholder: required ? t.compose.topic : t.emptyTopic,
  }
}

/** Whether a topic has still to be chosen for a message: the one without a name counts only when it was. */
export function lacksTopic(to: Conversation): boolean {
  if (to.kind !== 'topic' || to.topic.trim() !== '') return false
  const { required, isFixed } = topicNeedOf(to.channelId)
  return required || (!isFixed && !isUnnamedChosen.value)
}
