import * as v from 'valibot'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../domain/caller.ts'
import { mayReadAttachment } from '../../domain/uploads/attachment-access.ts'
import { findAttachmentAt } from '../../domain/uploads/attachment-rows.ts'
import type { GetFileUrlParams } from '../../domain/uploads/find-file.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo } from '../parameter-types.ts'

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
