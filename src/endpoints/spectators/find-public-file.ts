import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../domain/anyone.ts'
import { spectatorCaller } from '../../domain/spectators/spectator.ts'
import { mayReadAttachment } from '../../domain/uploads/attachment-access.ts'
import { findAttachmentAt } from '../../domain/uploads/attachment-rows.ts'
import { notYours, type StoredFile, storedFile, type UploadPath } from '../../domain/uploads/find-file.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

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
 * Finds the file at an address, for somebody without an account: a message with it must be in a web-public
 * channel. Any other is refused like one that does not exist. Source:
 * docs/interface/visitors.md#files-and-pictures; docs/decisions/interface.md#stricter-than-the-public-server.
 */
function findPublicFile(tx: RealmTransaction, { source }: Anyone, { path }: UploadPath): StoredFile {
  const attachment = findAttachmentAt(tx.sql, path)
  if (!attachment || !mayReadAttachment(tx, spectatorCaller(tx, source), attachment)) throw notYours()
  return storedFile(attachment)
}
