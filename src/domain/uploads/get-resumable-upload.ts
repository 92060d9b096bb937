import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { requireOwnUpload, type Transfer, transferOf } from './resumable-upload.ts'

/** Gets how much of a file has been received. Source: tus 1.0.0, HEAD. */
export const getResumableUpload: Command<Caller, { readonly upload: string }, void, Transfer> = {
  apply(tx, caller, { upload }) {
    return transferOf(tx, requireOwnUpload(tx, caller, upload), false)
  },
}
