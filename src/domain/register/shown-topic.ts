import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import type { SnapshotOptions } from './snapshot.ts'

/** Returns a function that returns a topic as the client knows it: of older ones the empty topic has a name. */
export function shownBy({ capabilities }: Pick<SnapshotOptions, 'capabilities'>): (topic: string) => string {
  return (topic) => (topic === '' && !capabilities.has('empty_topic_name') ? EMPTY_TOPIC_DISPLAY_NAME : topic)
}
