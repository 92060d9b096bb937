import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { requireOwnUpload, type Transfer, transferOf } from './resumable-upload.ts'

/**
 * Looks how far an upload has come that an earlier request with the same key announced. Bytes are expected
 * only if none has been stored, and in a directory of their own: the earlier request may be under way still.
 */
export const continueUpload: Command<Caller, { readonly upload: string }, void, Transfer> = {
  apply(tx, caller, { upload: id }) {
    const upload = requireOwnUpload(tx, caller, id)
    return transferOf(tx, upload, upload.received === 0, caller.source.fileId)
  },
}
