import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { mayReadAttachment } from '../uploads/attachment-access.ts'
import { findAttachmentAt } from '../uploads/attachment-rows.ts'
import { notYours, type StoredFile, storedFile, type UploadPath } from '../uploads/find-file.ts'
import { spectatorCaller } from './spectator.ts'

/**
 * Finds the file at an address, for somebody without an account: a message with it must be in a web-public
 * channel. Any other is refused like one that does not exist. Source:
 * docs/interface/visitors.md#files-and-pictures; docs/decisions/interface.md#stricter-than-the-public-server.
 */
export const findPublicFile: Command<Anyone, UploadPath, void, StoredFile> = {
  apply(tx, { source }, { path }) {
    const attachment = findAttachmentAt(tx.sql, path)
    if (!attachment || !mayReadAttachment(tx, spectatorCaller(tx, source), attachment)) throw notYours()
    return storedFile(attachment)
  },
}
