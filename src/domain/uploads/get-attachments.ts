import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { listAttachmentsOf } from './attachment-rows.ts'
import { type PresentedAttachment, presentAttachment } from './present-attachment.ts'
import { uploadSpaceUsed } from './upload-space.ts'

export interface OwnAttachments {
  readonly attachments: readonly PresentedAttachment[]
  /** Bytes, of the whole organization. */
  readonly upload_space_used: number
}

/** Lists the caller's own uploads. Source: docs/interface/uploads.md#ones-files. */
export const getAttachments: Command<Caller, object, void, OwnAttachments> = {
  apply(tx, { user }) {
    const { sql } = tx
    return {
      attachments: listAttachmentsOf(sql, user.id).map((attachment) => presentAttachment(tx, attachment)),
      upload_space_used: uploadSpaceUsed(sql),
    }
  },
}
