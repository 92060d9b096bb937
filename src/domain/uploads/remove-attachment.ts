import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { announceAttachment } from './announce-attachment.ts'
import { deleteAttachmentRow, findAttachment } from './attachment-rows.ts'
import { scheduleRemoval } from './removal-rows.ts'
import { uploadKey } from './upload-file.ts'
import { changeUploadSpaceUsed } from './upload-space.ts'

/** Deletes an own upload at once; messages keep the dead link. Source: core-endpoints 22. */
export const removeAttachment: Command<Caller, { readonly attachment_id: number }, void, object> = {
  apply(tx, { user }, { attachment_id }) {
    const attachment = findAttachment(tx.sql, attachment_id)
    if (attachment?.ownerId !== user.id) throw new BadRequestError('Invalid attachment')
    deleteAttachmentRow(tx.sql, attachment.id)
    changeUploadSpaceUsed(tx.sql, -attachment.size)
    scheduleRemoval(tx, uploadKey(attachment.path), tx.now)
    announceAttachment(tx, 'remove', attachment)
    return {}
  },
}
