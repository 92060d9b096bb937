import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { PresentedAttachment } from '../../events/attachment.ts'
import { heldAmong } from '../../store/holds/hold-rows.ts'
import {
  type Attachment,
  attachmentsLinkedFrom,
  deleteLink,
  deleteLinksFrom,
  findAttachments,
  findAttachmentsAt,
  isUnclaimed,
  putLink,
  putScheduledLinks,
} from '../../store/uploads/attachment-rows.ts'
import { putUnclaimed } from '../../store/uploads/removal-rows.ts'
import { keepForATime } from '../retention/retention.ts'
import { announceAttachments, presentAttachments } from './attachments.ts'

/** Links uploads to a new message, and notifies their owners. `paths`: those that its author may read (attachment-access.ts). */
export function claimAttachments(tx: RealmTransaction, messageId: number, paths: readonly string[]): void {
  if (paths.length === 0) return
  const attachments = findAttachmentsAt(tx.sql, paths)
  for (const { id } of attachments) putLink(tx.sql, id, messageId)
  announceAttachments(tx, 'update', attachments)
}

/**
 * Updates the links of an edited message, and notifies the owners. Returns the editor's uploads to which no message links
 * any more (docs/interface/messages.md#edit-or-move-a-message, `detached_uploads`).
 */
export function reclaimAttachments(
  tx: RealmTransaction,
  message: { readonly id: number; readonly editorId: number },
  paths: readonly string[],
): PresentedAttachment[] {
  const before = findAttachments(tx.sql, attachmentsLinkedFrom(tx.sql, [message.id]))
  const linked = new Set(before.map(({ path }) => path))
  const released = releasable(tx, message.id, before, paths)
  for (const { id } of released) release(tx, id, message.id)
  announceAttachments(tx, 'update', released)
  claimAttachments(
    tx,
    message.id,
    paths.filter((path) => !linked.has(path)),
  )
  const detached = released.filter(
    ({ id, ownerId }) => ownerId === message.editorId && isUnclaimed(tx.sql, id),
  )
  return presentAttachments(tx, detached)
}

/** Removes the links of a message to all other uploads, without events: an import changes its text. */
export function releaseOthers(tx: RealmTransaction, messageId: number, paths: readonly string[]): void {
  const linked = findAttachments(tx.sql, attachmentsLinkedFrom(tx.sql, [messageId]))
  for (const { id } of releasable(tx, messageId, linked, paths)) release(tx, id, messageId)
}

/** Returns the linked files that a message with these paths links to no more. One on hold keeps those of its earlier versions. */
function releasable(
  { sql }: RealmTransaction,
  messageId: number,
  linked: readonly Attachment[],
  paths: readonly string[],
): readonly Attachment[] {
  if (heldAmong(sql, [messageId]).size > 0) return []
  return linked.filter(({ path }) => !paths.includes(path))
}

function release(tx: RealmTransaction, attachmentId: number, messageId: number): void {
  deleteLink(tx.sql, attachmentId, messageId)
  noteUnclaimed(tx, attachmentId)
}

/** Removes the links of deleted messages, and notifies the owners. Only the owner can read an upload without other links. */
export function releaseAttachments(tx: RealmTransaction, messageIds: readonly number[]): void {
  const released = attachmentsLinkedFrom(tx.sql, messageIds)
  if (released.length === 0) return
  deleteLinksFrom(tx.sql, messageIds)
  for (const id of released) noteUnclaimed(tx, id)
  announceAttachments(tx, 'update', findAttachments(tx.sql, released))
}

/** Links uploads to a scheduled message, or unlinks all without paths. Nobody is notified, and no upload becomes readable. */
export function claimForScheduled(
  tx: Pick<RealmTransaction, 'sql'>,
  scheduledId: number,
  paths: readonly string[],
): void {
  const attachments = paths.length === 0 ? [] : findAttachmentsAt(tx.sql, paths)
  putScheduledLinks(
    tx.sql,
    scheduledId,
    attachments.map(({ id }) => id),
  )
}

/** Records that no message links to an upload, which will be deleted unless one does in time. */
export function noteUnclaimed(tx: RealmTransaction, attachmentId: number): void {
  putUnclaimed(tx.sql, attachmentId, tx.now)
  keepForATime(tx)
}
