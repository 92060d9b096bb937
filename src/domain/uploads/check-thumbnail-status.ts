import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { mayReadAttachment } from './attachment-access.ts'
import { findAttachmentAt } from './attachment-rows.ts'
import type { GetFileUrlParams } from './find-file.ts'

/**
 * Says that the smaller forms of a picture can be read. They can from the moment when it is stored: each is made when it is first
 * read, and what has none, as an animation, is sent there as it is. So nobody waits, and any other upload is refused.
 * Source: docs/interface/uploads.md#read-a-file.
 */
export const checkThumbnailStatus: Command<
  Caller,
  GetFileUrlParams,
  void,
  { readonly has_thumbnail: boolean }
> = {
  apply(tx, caller, { realm_id_str, filename }) {
    const attachment = findAttachmentAt(tx.sql, `${realm_id_str}/${filename}`)
    if (!attachment?.image || !mayReadAttachment(tx, caller, attachment)) {
      throw new BadRequestError('Invalid attachment')
    }
    return { has_thumbnail: true }
  },
}
