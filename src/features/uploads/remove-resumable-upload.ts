import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  EXPIRE_RESUMABLE_UPLOAD,
  forgetResumableUpload,
  requireOwnUpload,
} from '../../model/uploads/resumable-upload.ts'

/**
 * Ends a resumable upload. The file of a complete one stays, since messages may link to it; another operation
 * deletes it. Source: tus 1.0.0, termination.
 */
export const removeResumableUploadEndpoint = defineEndpoint({
  operation: 'remove-resumable-upload',
  method: 'DELETE',
  path: '/tus/:upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 204: { description: 'The upload was removed.', hasBody: false } },
    answerHeaders: [],
    answer: () => ({ status: 204, headers: {} }),
  },
  returns: v.object({}),
  command: { apply: removeResumableUpload },
  audit: 'speech',
})

function removeResumableUpload(
  tx: RealmTransaction,
  caller: Caller,
  { upload }: { readonly upload: string },
): object {
  const { id } = requireOwnUpload(tx, caller, upload)
  forgetResumableUpload(tx, id)
  tx.unschedule({ kind: EXPIRE_RESUMABLE_UPLOAD, key: id })
  return {}
}
