import { topicShown } from '../messages/topic-shown.ts'
import { presentScheduledMessage } from '../scheduled-messages/present-scheduled-message.ts'
import { listScheduledMessagesOf } from '../scheduled-messages/scheduled-message-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** `scheduled_messages`: what has not been sent, by time (docs/interface/register.md#what-the-snapshot-has). */
export const scheduledMessagesSnapshot: Snapshot = (tx, { user }, { capabilities }) => ({
  scheduled_messages: listScheduledMessagesOf(tx.sql, user.id).map((message) => {
    const { topic, ...presented } = presentScheduledMessage(message)
    return topic === undefined
      ? presented
      : { ...presented, topic: topicShown(topic, capabilities.has('empty_topic_name')) }
  }),
})
