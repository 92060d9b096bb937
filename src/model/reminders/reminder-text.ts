import { parseJson } from '../../core/json.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { countPoints } from '../../core/text-length.ts'
import { block, mentionText } from '../../markdown/mention-text.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { firstSubmessage } from '../../store/submessages/submessage-rows.ts'
import type { Reminder } from '../../store/unsent/unsent-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { linkToMessage, quotedConversation } from '../messages/read/addresses-of-message.ts'
import { contentUpTo, MAX_MESSAGE_LENGTH } from '../messages/text/compose.ts'

/** Names of widgets, whose text alone says little. */
const WIDGETS: Readonly<Record<string, string>> = { poll: 'a poll', todo: 'a to-do list' }

/** Characters for fences, names and links. */
const QUOTE_MARGIN = 50

/**
 * Returns the text of a reminder. `source`: the message's text, absent before the reminder is due: until then the message
 * may be edited, moved or deleted, so the text only identifies it. Source: docs/interface/personal.md#reminders.
 */
export function reminderText(
  view: Pick<RealmView, 'sql'>,
  message: IndexedMessage,
  { note, origin }: Pick<Reminder, 'note' | 'origin'>,
  source?: string,
): string {
  const conversation = quotedConversation(view, message)
  const what = conversation.kind === 'direct' ? 'direct message' : 'message'
  const where = conversation.kind === 'direct' ? `to ${conversation.recipients}` : `in ${conversation.link}`
  const first = `You requested a reminder for the following ${what}.${noteText(note)}`
  const sender = mentionText({ user: findUser(view.sql, message.senderId)! })
  const link = linkToMessage(view, message, origin)
  const widget = widgetName(view, message.id)
  if (widget !== undefined) return `${first}\n\n${sender} [sent](${link}) ${widget} ${where}.`
  if (source === undefined) return `${first}\n\n${sender} [said](${link}) ${where}.`
  const head = `${first}\n\n${sender} [said](${link}) ${where}:\n`
  const room = MAX_MESSAGE_LENGTH - countPoints(head) - QUOTE_MARGIN
  return head + block('quote', contentUpTo(source, room))
}

/** Returns the text of a reminder of a message that its user can no longer read: only the user's note. */
export function textWithoutMessage(note: string): string {
  return `You requested a reminder for a message that you can no longer read.${noteText(note)}`
}

function noteText(note: string): string {
  return note === '' ? '' : ` Note:\n > ${note.replaceAll('\n', '\n > ')}`
}

function widgetName({ sql }: Pick<RealmView, 'sql'>, messageId: number): string | undefined {
  const first = firstSubmessage(sql, messageId)
  if (first?.type !== 'widget') return undefined
  const said = parseJson(first.content) as { widget_type?: unknown } | null
  return typeof said?.widget_type === 'string' ? WIDGETS[said.widget_type] : undefined
}

/** Length of the note, in code points (docs/interface/conventions.md#limits). */
export const MAX_NOTE_LENGTH = 1_000
