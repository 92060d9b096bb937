import type { RealmView } from '../../core/realm-transaction.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { flagBits } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { findMessage, type IndexedMessage } from '../../store/messages/message-rows.ts'
import type { NotificationCause } from '../../store/notifications/causes.ts'
import type { User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { isRead } from '../messages/flags/message-flags.ts'
import { messageAccess } from '../messages/read/message-access.ts'

/**
 * Returns the message if the user should still be notified of it: it exists, is readable and unread, and
 * still mentions them. Checked before a notification is sent, and as long as it is shown.
 */
export function stillNotifiable(
  view: RealmView,
  user: User,
  messageId: number,
  cause: NotificationCause,
): IndexedMessage | undefined {
  const message = findMessage(view.sql, messageId)
  if (!message || !isMentionLeft(view, user, messageId, cause)) return undefined
  const viewer = { user, actor: actorOf(view.sql, user, view.now) }
  const access = messageAccess(view, viewer, message)
  if (!mayReadMessage(viewer.actor, access) || !access.hasRecord) return undefined
  return isRead(message, user, new ReadSet(view.sql, user)) ? undefined : message
}

/**
 * Whether the mention is still there: an edit may remove a mention by name; a wildcard mention stays
 * (docs/interface/messages.md#edit-or-move-a-message).
 */
function isMentionLeft({ sql }: RealmView, user: User, messageId: number, cause: NotificationCause): boolean {
  return cause !== 'mention' || ((flagBits(sql, user.id, messageId) ?? 0) & FLAG_BIT.mentioned) !== 0
}
