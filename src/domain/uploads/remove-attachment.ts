import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { findAttachment } from './attachment-rows.ts'
import { discardAttachment } from './discard-attachment.ts'

/**
 * Deletes one of the caller's uploads at once; messages keep the dead link. Source:
 * docs/interface/uploads.md#ones-files.
 */
export const removeAttachment: Command<Caller, { readonly attachment_id: number }, void, object> = {
  apply(tx, { user }, { attachment_id }) {
    const attachment = findAttachment(tx.sql, attachment_id)
    if (attachment?.ownerId !== user.id) throw new BadRequestError('Invalid attachment')
    discardAttachment(tx, attachment)
    return {}
  },
}
