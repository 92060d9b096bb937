import type { Sql } from '../../core/sql.ts'
import { findMessages } from '../messages/message-rows.ts'
import { type Attachment, messagesLinkingTo } from './attachment-rows.ts'

/** An attachment as its owner sees it; both times in milliseconds. Source: SPEC 2.4, 1.5. */
export interface PresentedAttachment {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly size: number
  readonly create_time: number
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[]
}

export function presentAttachment(sql: Sql, attachment: Attachment): PresentedAttachment {
  return {
    id: attachment.id,
    name: attachment.name,
    path_id: attachment.path,
    size: attachment.size,
    create_time: attachment.createdAt,
    messages: findMessages(sql, messagesLinkingTo(sql, attachment.id)).map(({ id, sentAt }) => ({
      id,
      date_sent: sentAt * 1_000,
    })),
  }
}
