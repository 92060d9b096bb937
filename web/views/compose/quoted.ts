import { sourceOf } from '../../actions/changing-messages.ts'
import { state } from '../../chat.ts'
import { hrefOfConversation, wholeAddress } from '../../navigation.ts'
import { conversationOf } from '../../state/conversation.ts'
import { escapeLinkText, mentionOfUser } from '../../state/mention-text.ts'
import { quoteOf } from '../../state/message-parts.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { dateAndTime } from '../../ui/time.tsx'
import { readPoll, readTodo } from '../message/widget-data.ts'
import { conversationName } from '../words.ts'

/** Returns a message, or what is selected of it, as a quote. `namesSource`: for readers of another conversation, it says where and when it was written. */
export async function quotedMarkdown(message: Message, { namesSource = false } = {}): Promise<string> {
  const content = titleOfWidget(message) ?? (await selectedPart(message.id)) ?? (await sourceOf(message.id))
  const conversation = conversationOf(message, state.me)
  const link = wholeAddress(hrefOfConversation(conversation, message.id))
  const sender = mentionOfUser(
    { user_id: message.sender_id, full_name: message.sender_full_name },
    { isSilent: true },
  )
  if (!namesSource) return quoteOf(sender, link, content)
  // Who is in a direct conversation is not for others.
  const place = conversation.kind === 'topic' ? `${conversationName(conversation)}, ` : ''
  return quoteOf(sender, link, content, escapeLinkText(`${place}${dateAndTime(message.timestamp)}`))
}

/** Returns the part of a message that the user has selected, which is quoted alone. */
async function selectedPart(id: number): Promise<string | undefined> {
  if (getSelection()?.isCollapsed !== false) return undefined
  const { selectedIn } = await import('../message/selected-text.ts')
  return selectedIn(id)
}

/** Returns what a poll or a list is called now; its text is the command that made it. */
function titleOfWidget({ submessages }: Message): string | undefined {
  const poll = readPoll(submessages)
  if (poll) return poll.question || t.widget.poll
  const todo = readTodo(submessages)
  return todo && (todo.title || t.widget.todo)
}
