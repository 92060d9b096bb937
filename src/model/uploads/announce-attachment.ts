import { toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredAttachmentEvent } from '../../events/attachment.ts'
import type { Attachment } from '../../store/uploads/attachment-rows.ts'
import { presentAttachments } from './present-attachment.ts'
import { uploadSpaceUsed } from './upload-space.ts'

/** Notifies the owners of changed uploads, with ascending ids. Source: docs/interface/events.md#events-about-what-is-ones-own. */
export function announceAttachments(
  tx: RealmTransaction,
  op: StoredAttachmentEvent['op'],
  attachments: readonly Attachment[],
): void {
  if (attachments.length === 0) return
  const upload_space_used = uploadSpaceUsed(tx.sql)
  const envelope = { type: 'attachment', upload_space_used } as const
  const events: StoredAttachmentEvent[] =
    op === 'remove'
      ? attachments.map(({ id }) => ({ ...envelope, op, attachment: { id } }))
      : presentAttachments(tx, attachments).map((attachment) => ({ ...envelope, op, attachment }))
  for (const [at, event] of events.entries()) tx.emit(event, toUsers(attachments[at]!.ownerId))
}
