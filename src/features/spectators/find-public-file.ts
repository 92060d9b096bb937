import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../model/anyone.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { mayReadAttachment } from '../../model/uploads/attachment-access.ts'
import { notYours, type StoredFile, storedFile, type UploadPath } from '../../model/uploads/find-file.ts'
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

/** GET /user_uploads/… without an account. Source: docs/interface/visitors.md#files-and-pictures. */
export const findPublicFileStep = defineStep({
  operation: 'find-public-file',
  access: 'spectator',
  params: { path: inAddress },
  command: { apply: findPublicFile },
  audit: 'read-only',
  rateLimit: 'user',
  perThing: { name: ({ path }: UploadPath) => `file ${path}`, refusal: notYours },
})

/**
 * Finds the file at an address, for a visitor without an account: a message with it must be in a web-public
 * channel. Any other is refused like one that does not exist. Source:
 * docs/interface/visitors.md#files-and-pictures; docs/decisions/interface.md#stricter-than-the-public-server.
 */
function findPublicFile(tx: RealmTransaction, { source }: Anyone, { path }: UploadPath): StoredFile {
  const attachment = findAttachmentAt(tx.sql, path)
  if (!attachment || !mayReadAttachment(tx, spectatorCaller(tx, source), attachment)) throw notYours()
  return storedFile(attachment)
}
