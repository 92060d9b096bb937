import { defineEndpoint } from '../../api/define-endpoint.ts'
import { WIDGET_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import { described, jsonInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { MESSAGE_QUOTAS } from '../../core/quotas.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { StoredSubmessageEvent } from '../../events/message-additions.ts'
import { actionAudience } from '../../model/messages/read/action-audience.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { followAfterReaction } from '../../model/sending/automatic-policies.ts'
import { requireWidgetData } from '../../model/submessages/widget-content.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { changeMessageBits } from '../../store/messages/recent-message-rows.ts'
import {
  firstSubmessage,
  insertSubmessage,
  type Submessage,
  submessageUse,
} from '../../store/submessages/submessage-rows.ts'

/**
 * Adds an entry to a message's widget (a poll or a to-do list): a vote, a new task. Only the sender can turn a message into a widget.
 * Source: docs/interface/messages.md#widgets.
 */
export const sendSubmessageEndpoint = defineEndpoint({
  operation: 'send-submessage',
  route: 'POST /submessage',
  access: 'user',
  growsObject: true,
  params: {
    message_id: jsonInteger,
    msg_type: textUpTo(WORD_LENGTH),
    content: described(textUpTo(WIDGET_LENGTH), 'JSON that the widget understands.'),
  },
  apply(tx, caller, { message_id, msg_type, content }) {
    const message = requireModifiableMessage(tx, caller, message_id)
    const first = firstSubmessage(tx.sql, message.id)
    const isAuthor = message.senderId === caller.user.id
    if (!first && !isAuthor) throw new BadRequestError('You cannot attach a submessage to this message.')
    const type = requireWidgetData(widgetTypeOf(first), parse(content), isAuthor)
    if (!first) {
      changeMessageBits(tx.sql, message.id, message.bits | MESSAGE_BIT.isWidget)
    }
    const submessage = { messageId: message.id, senderId: caller.user.id, type: msg_type, content }
    requireRoom(tx, submessage)
    const id = insertSubmessage(tx.sql, submessage)
    tx.emit(eventOf({ id, ...submessage }), actionAudience(tx, message))
    if (type === 'vote') followAfterReaction(tx, caller, message)
  },
  audit: 'speech',
})

/** Refuses a submessage beyond the quotas: a message is always sent with all of them, and one account must not use all the room. */
function requireRoom({ sql }: Pick<RealmReads, 'sql'>, submessage: Omit<Submessage, 'id'>): void {
  const quota = MESSAGE_QUOTAS.submessages
  const { all, own } = submessageUse(sql, submessage.messageId, submessage.senderId)
  const bytes = Buffer.byteLength(submessage.content)
  if (all.count >= quota.message || own.count >= quota.account) {
    const limit = own.count >= quota.account ? `${quota.account} from one account` : quota.message
    throw new BadRequestError(`A message cannot have more submessages than ${limit}.`)
  }
  if (all.bytes + bytes > quota.messageBytes || own.bytes + bytes > quota.accountBytes) {
    const limit = own.bytes + bytes > quota.accountBytes ? quota.accountBytes : quota.messageBytes
    throw new BadRequestError(`The submessages are too large together (limit: ${limit} bytes).`)
  }
}

/** Returns the widget's type; '' if the message is not a widget, or its first submessage is invalid. */
function widgetTypeOf(first: Submessage | undefined): string {
  if (first?.type !== 'widget') return ''
  const said = parseJson(first.content) as { widget_type?: unknown } | null
  return typeof said?.widget_type === 'string' ? said.widget_type : ''
}

function parse(content: string): unknown {
  try {
    return parseJson(content)
  } catch {
    throw new BadRequestError('Invalid json for submessage')
  }
}

function eventOf({ id, messageId, senderId, type, content }: Submessage): StoredSubmessageEvent {
  return {
    type: 'submessage',
    msg_type: type,
    message_id: messageId,
    submessage_id: id,
    sender_id: senderId,
    content,
  }
}
