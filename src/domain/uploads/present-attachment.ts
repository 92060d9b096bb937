import type { RealmView } from '../../core/realm-transaction.ts'
import { mayReadMessage } from '../../permissions/message-rules.ts'
import { actorOf } from '../caller.ts'
import { findMessages } from '../messages/message-rows.ts'
import { accessReader } from '../messages/read/message-access.ts'
import { findUser } from '../users/user-rows.ts'
import { type Attachment, messagesLinkingTo } from './attachment-rows.ts'

/**
 * An attachment for its owner, with those of the messages that the owner may read: others may have linked it
 * where the owner is not. Both times in milliseconds. Source: docs/interface/uploads.md#ones-files;
 * docs/interface/conventions.md#answers.
 */
export interface PresentedAttachment {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly size: number
  readonly create_time: number
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[]
}

export function presentAttachment(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  attachment: Attachment,
): PresentedAttachment {
  const user = findUser(sql, attachment.ownerId)!
  const viewer = { user, actor: actorOf(sql, user, now) }
  const access = accessReader({ sql }, viewer)
  const messages = findMessages(sql, messagesLinkingTo(sql, attachment.id)).filter((message) =>
    mayReadMessage(viewer.actor, access(message)),
  )
  return {
    id: attachment.id,
    name: attachment.name,
    path_id: attachment.path,
    size: attachment.size,
    create_time: attachment.createdAt,
    messages: messages.map(({ id, sentAt }) => ({ id, date_sent: sentAt * 1_000 })),
  }
}
