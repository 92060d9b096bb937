import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { mayReadAttachment } from '../../model/uploads/attachment-access.ts'
import type { GetFileUrlParams } from '../../model/uploads/find-file.ts'
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

/**
 * Says that the smaller forms of a picture can be read. They can from the moment when it is stored: each is made when it is first
 * read, and what has none, as an animation, is sent there as it is. So nobody waits, and any other upload is refused.
 * Source: docs/interface/uploads.md#read-a-file.
 */
export const checkThumbnailStatusEndpoint = defineEndpoint({
  operation: 'check-thumbnail-status',
  method: 'GET',
  path: '/thumbnail/status/:realm_id_str/:filename+',
  access: 'user',
  params: {
    realm_id_str: pathInteger,
    filename: v.pipe(textUpTo(NAME_LENGTH), v.description('The rest of the file’s path.')),
  },
  returns: v.object({ has_thumbnail: v.boolean() }),
  command: { apply: checkThumbnailStatus },
})

function checkThumbnailStatus(
  tx: RealmTransaction,
  caller: Caller,
  { realm_id_str, filename }: GetFileUrlParams,
): { readonly has_thumbnail: boolean } {
  const attachment = findAttachmentAt(tx.sql, `${realm_id_str}/${filename}`)
  if (!attachment?.image || !mayReadAttachment(tx, caller, attachment)) {
    throw new BadRequestError('Invalid attachment')
  }
  return { has_thumbnail: true }
}
