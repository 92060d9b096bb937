import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredAttachmentEvent } from '../../events/attachment.ts'
import type { Attachment } from './attachment-rows.ts'
import { presentAttachments } from './present-attachment.ts'
import { uploadSpaceUsed } from './upload-space.ts'

/**
 * Notifies the owners of changes of uploads, whose ids are ascending. Source:
 * docs/interface/events.md#events-about-what-is-ones-own.
 */
export function announceAttachments(
  tx: RealmTransaction,
  op: StoredAttachmentEvent['op'],
  attachments: readonly Attachment[],
): void {
  if (attachments.length === 0) return
  const upload_space_used = uploadSpaceUsed(tx.sql)
  const presented =
    op === 'remove'
      ? attachments.map(({ id }) => ({ id }))
      : presentAttachments(tx, attachments).map((attachment) => ({ ...attachment }))
  for (const [at, attachment] of presented.entries()) {
    const event: StoredAttachmentEvent = { type: 'attachment', op, attachment, upload_space_used }
    tx.emit(event, toUsers(attachments[at]!.ownerId))
  }
}
