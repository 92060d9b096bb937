import { state } from '../../chat.ts'
import { goToNarrow, hrefOfConversation, wholeAddress } from '../../navigation.ts'
import { mayBeginTopics, mayPost } from '../../state/channel-permissions.ts'
import { conversationOf } from '../../state/conversation.ts'
import { mentionOfUser } from '../../state/mention-text.ts'
import { partsOf, wholeOf } from '../../state/message-parts.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { firstWords, replyHead, replyHeadIn } from '../../state/reply-markdown.ts'
import type { Message } from '../../state/wire.ts'
import { previewPartsOf } from '../inbox/preview.ts'
import { focusWanted, replyTo, showNarrow, text, write, writeTo } from './compose-state.ts'

/** Characters of a topic that is made of the words of a message. */
const TOPIC_LENGTH = 40

/** Answers a message in its conversation: the text in the box begins with a link to it, in place of one to another message. */
export function answer(message: Message): void {
  if (state.messages.get(message.id) === undefined) return
  putHead(message)
  replyTo(message)
}

/** Whether the user may answer in a new topic of the message's channel. */
export function mayAnswerElsewhere({ type, stream_id }: Message): boolean {
  const channel = type === 'stream' ? state.channels.get(stream_id!) : undefined
  return channel !== undefined && mayPost(state, channel) && mayBeginTopics(state, channel)
}

/** Answers a message in a new topic of its channel, whose name is to be chosen. */
export function answerInNewTopic(message: Message): void {
  const channelId = message.stream_id!
  const narrow = channelNarrow(channelId)
  showNarrow(narrow)
  putHead(message)
  const topic = firstWords(previewPartsOf(message).text, TOPIC_LENGTH).replace(/…$/, '')
  writeTo({ kind: 'topic', channelId, topic })
  goToNarrow(narrow)
  focusWanted.value = { at: 'topic' }
}

function putHead(message: Message): void {
  const { id, sender_id, sender_full_name } = message
  const sender = mentionOfUser({ user_id: sender_id, full_name: sender_full_name }, { isSilent: true })
  const link = wholeAddress(hrefOfConversation(conversationOf(message, state.me), id))
  const head = replyHeadIn(replyHead(sender, link, previewPartsOf(message).text))
  const { quotes, ...rest } = partsOf(text.value)
  const others = quotes.filter(({ markdown }) => !replyHeadIn(markdown))
  if (head) write(wholeOf({ ...rest, quotes: [head, ...others] }))
}
