import { defaultStreamsEvent } from './default-streams.ts'
import { deleteMessageEvent } from './delete-message.ts'
import type { EventType } from './event-type.ts'
import { messageEvent } from './message.ts'
import { mutedTopicsEvent } from './muted-topics.ts'
import { presenceEvent } from './presence.ts'
import { reactionEvent } from './reaction.ts'
import { realmUserEvent } from './realm-user.ts'
import { streamEvent } from './stream.ts'
import { subscriptionEvent } from './subscription.ts'
import { typingEvent } from './typing.ts'
import { typingEditMessageEvent } from './typing-edit-message.ts'
import { updateMessageEvent } from './update-message.ts'
import { updateMessageFlagsEvent } from './update-message-flags.ts'
import { userGroupEvent } from './user-group.ts'
import { userStatusEvent } from './user-status.ts'
import { userTopicEvent } from './user-topic.ts'

const LIST: readonly EventType[] = [
  defaultStreamsEvent,
  deleteMessageEvent,
  messageEvent,
  mutedTopicsEvent,
  presenceEvent,
  reactionEvent,
  realmUserEvent,
  streamEvent,
  subscriptionEvent,
  typingEvent,
  typingEditMessageEvent,
  updateMessageEvent,
  updateMessageFlagsEvent,
  userGroupEvent,
  userStatusEvent,
  userTopicEvent,
]

/** Every event type there is, by name. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(LIST.map((type) => [type.type, type]))
