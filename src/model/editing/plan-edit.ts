import { createHash } from 'node:crypto'
import { BadRequestError, ExpectationMismatchError } from '../../core/errors.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { requireMayEditContent } from '../../rules/message-rules.ts'
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  isResolveToggle,
  requireResolvableName,
  requireTopicAllowed,
} from '../../rules/topic-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { Topic } from '../../store/messages/topic-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { Caller } from '../caller.ts'
import { topicsPolicyIn } from '../channels/read/present-channel.ts'
import { requireActiveChannel } from '../channels/visibility/find-for-caller.ts'
import { cutTopic, normaliseContent, requirePrintableTopic } from '../messages/text/compose.ts'
import { differInCaseAlone, spelledAsRenamed, topicOfMessage } from '../messages/topic-of-message.ts'

type PropagateMode = 'change_one' | 'change_later' | 'change_all'

export interface UpdateMessageParams {
  readonly message_id: number
  readonly stream_id?: number
  readonly topic?: string
  readonly propagate_mode: PropagateMode
  readonly send_notification_to_old_thread: boolean
  readonly send_notification_to_new_thread: boolean
  readonly content?: string
  readonly prev_content_sha256?: string
}

/** Messages that move to another topic or channel. */
export interface PlannedMove {
  readonly from: Channel
  /** The old topic in the spelling of the named message. */
  readonly oldTopic: Topic
  /** Same as `from` unless another channel was requested. */
  readonly to: Channel
  readonly newTopic: string
  readonly changesTopic: boolean
  readonly changesChannel: boolean
  /** Whether the name changes only in the mark of a resolved topic. */
  readonly isToggle: boolean
  readonly mode: PropagateMode
  /** The messages that move. If only the case of the name changes, all move regardless of the mode, so that the topic has one spelling. */
  readonly reach: PropagateMode
  /** Whether the messages stay in their topic, whose name changes only in case. */
  readonly isRespelling: boolean
}

/** The requested changes, checked except for rights. */
interface EditPlan {
  readonly content?: string
  /** The message's present channel; undefined for a direct message. */
  readonly channel?: Channel
  readonly move?: PlannedMove
}

/** Makes steps 2 to 13 of docs/interface/messages.md#edit-or-move-a-message. `body` is present if content is concerned. */
export function planEdit(
  view: RealmView,
  caller: Caller,
  message: IndexedMessage,
  params: UpdateMessageParams,
  body: MessageBody | undefined,
): EditPlan {
  if (params.content !== undefined) requireMayEdit(view, caller, message)
  const current = channelTopicOf(view, message)
  const topic = newTopicOf(params.topic, current?.topic.name ?? '')
  const movesTo = params.stream_id === current?.channel.id ? undefined : params.stream_id
  const isMove = topic !== undefined || movesTo !== undefined
  if (params.content === undefined && !isMove) throw new BadRequestError('Nothing to change')
  if (!current) requireNoMove(topic, movesTo)
  if (params.propagate_mode !== 'change_one' && !isMove) {
    throw new BadRequestError('Invalid propagate_mode without topic edit')
  }
  if (topic !== undefined) {
    requireResolvableName(topic)
    requirePrintableTopic(topic)
  }
  if (params.content !== undefined && params.stream_id !== undefined) {
    throw new BadRequestError('Cannot change message content while changing channel')
  }
  if (params.content !== undefined && (message.bits & MESSAGE_BIT.isWidget) !== 0) {
    throw new BadRequestError('Widgets cannot be edited.')
  }
  if (params.prev_content_sha256 !== undefined && params.prev_content_sha256 !== digestOf(body!)) {
    throw new ExpectationMismatchError('prev_content_sha256')
  }
  const content = params.content === undefined ? undefined : editedContent(params.content)
  const move =
    current && isMove ? planMove(view, caller, current, topic, movesTo, params.propagate_mode) : undefined
  return { content, channel: current?.channel, move }
}

function digestOf({ content }: MessageBody): string {
  return createHash('sha256').update(content).digest('hex')
}

function requireMayEdit(view: RealmView, { actor }: Caller, message: IndexedMessage): void {
  const edited = { senderId: message.senderId, ageSeconds: view.now - message.sentAt }
  requireMayEditContent(actor, edited, {
    allow_message_editing: realmProperty(view.sql, 'allow_message_editing'),
    message_content_edit_limit_seconds: realmProperty(view.sql, 'message_content_edit_limit_seconds'),
  })
}

interface TopicOfMessage {
  readonly channel: Channel
  readonly topic: Topic
}

function channelTopicOf({ sql }: RealmView, message: IndexedMessage): TopicOfMessage | undefined {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind !== 'channel') return undefined
  return { channel: findChannel(sql, recipient.id)!, topic: topicOfMessage(sql, message)! }
}

/** Returns the requested topic; undefined when it is exactly the present one. `(no topic)` is an ordinary name here. */
function newTopicOf(asked: string | undefined, present: string): string | undefined {
  if (asked === undefined) return undefined
  const trimmed = asked.trim()
  const topic = trimmed === EMPTY_TOPIC_DISPLAY_NAME ? '' : trimmed
  return topic === present ? undefined : topic
}

function requireNoMove(topic: string | undefined, channelId: number | undefined): void {
  if (channelId !== undefined) throw new BadRequestError('Direct messages cannot be moved to channels.')
  if (topic !== undefined) throw new BadRequestError('Direct messages cannot have topics.')
}

/** Returns the content in its stored form. An emptied message gets a text that says so. */
function editedContent(content: string): string {
  return content.trim() === '' ? '(deleted)' : normaliseContent(content)
}

function planMove(
  view: RealmView,
  caller: Caller,
  { channel: from, topic: oldTopic }: TopicOfMessage,
  topic: string | undefined,
  channelId: number | undefined,
  mode: PropagateMode,
): PlannedMove {
  const to = channelId === undefined ? from : requireActiveChannel(view.sql, caller, channelId)
  const isToggle = topic !== undefined && isResolveToggle(oldTopic.name, topic)
  const named = topic === undefined ? oldTopic.name : cutTopic(topic)
  const isRespelling = to.id === from.id && differInCaseAlone(oldTopic.name, named)
  const newTopic = isRespelling ? named : spelledAsRenamed(view, caller.user.id, to.id, named)
  requireTopicAllowed(newTopic, topicsPolicyIn(view.sql, to))
  return {
    from,
    oldTopic,
    to,
    newTopic,
    changesTopic: topic !== undefined,
    changesChannel: channelId !== undefined,
    isToggle,
    mode,
    reach: isRespelling ? 'change_all' : mode,
    isRespelling,
  }
}
