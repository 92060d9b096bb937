import { EMPTY_TOPIC_DISPLAY_NAME } from '../../rules/topic-rules.ts'

/** Returns the topic's name for a client: one that does not know the empty topic gets its display name. */
export function presentTopic(topic: string, allowEmptyTopic: boolean): string {
  return topic === '' && !allowEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic
}
