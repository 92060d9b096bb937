import * as v from 'valibot'
import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { mayReadAttachment } from '../../model/uploads/attachment-access.ts'
import {
  findFile,
  findTemporaryFile,
  type GetFileUrlParams,
  getFileTemporaryUrl,
} from '../../model/uploads/find-file.ts'
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

/** The step behind the addresses of files outside the API. */
export const findFileStep = defineStep({
  operation: 'find-file',
  access: 'user',
  params: { path: inAddress },
  command: findFile,
  audit: 'read-only',
})

export const findTemporaryFileStep = defineStep({
  operation: 'find-temporary-file',
  access: 'anyone',
  params: { token: inAddress },
  command: findTemporaryFile,
  audit: 'read-only',
})

/**
 * Gets an address at which anybody can read the file for a minute. Source:
 * docs/interface/uploads.md#read-a-file.
 */
export const getFileTemporaryUrlEndpoint = defineEndpoint({
  operation: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/:realm_id_str/:filename+',
  access: 'user',
  rateLimit: 'none',
  params: {
    realm_id_str: pathInteger,
    filename: v.pipe(textUpTo(NAME_LENGTH), v.description('The rest of the file’s path.')),
  },
  returns: v.object({ url: v.string() }),
  command: getFileTemporaryUrl,
})

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
