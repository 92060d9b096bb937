import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { EXPIRE_RESUMABLE_UPLOAD, forgetResumableUpload } from './forget-resumable-upload.ts'
import { requireOwnUpload } from './resumable-upload.ts'

/**
 * Ends a resumable upload. The file of a complete one stays, since messages may link to it; another operation
 * deletes it. Source: tus 1.0.0, termination.
 */
export const removeResumableUpload: Command<Caller, { readonly upload: string }, void, object> = {
  apply(tx, caller, { upload }) {
    const { id } = requireOwnUpload(tx, caller, upload)
    forgetResumableUpload(tx, id)
    tx.unschedule({ kind: EXPIRE_RESUMABLE_UPLOAD, key: id })
    return {}
  },
}
