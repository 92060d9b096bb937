import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { discardAttachment } from '../../model/uploads/discard-attachment.ts'
import { findAttachment } from '../../store/uploads/attachment-rows.ts'

/**
 * Deletes one of the caller's uploads at once; messages keep the dead link. Source:
 * docs/interface/uploads.md#ones-files.
 */
export const removeAttachmentEndpoint = defineEndpoint({
  operation: 'remove-attachment',
  method: 'DELETE',
  path: '/attachments/:attachment_id',
  access: 'user',
  params: { attachment_id: pathInteger },
  returns: v.object({}),
  command: { apply: removeAttachment },
  audit: ({ params }) => ({
    action: 'file_deleted',
    details: { attachment_id: params.attachment_id },
  }),
})

function removeAttachment(
  tx: RealmTransaction,
  { user }: Caller,
  { attachment_id }: { readonly attachment_id: number },
): object {
  const attachment = findAttachment(tx.sql, attachment_id)
  if (attachment?.ownerId !== user.id) throw new BadRequestError('Invalid attachment')
  discardAttachment(tx, attachment)
  return {}
}
