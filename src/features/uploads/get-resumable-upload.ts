import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireOwnUpload, type Transfer, transferOf } from '../../model/uploads/resumable-upload.ts'
import { progressHeaders } from './in-worker/take-in-chunk.ts'

/** Gets how much of a file has been received. Source: tus 1.0.0, HEAD. */
export const getResumableUploadEndpoint = defineEndpoint({
  operation: 'get-resumable-upload',
  method: 'GET',
  path: '/tus/:upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 200: { description: 'The headers say how many bytes have been received.', hasBody: true } },
    answerHeaders: ['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
    answer: (transfer: Transfer) => ({
      status: 200,
      headers: {
        ...progressHeaders(transfer),
        'Upload-Length': transfer.length,
        'Upload-Metadata': transfer.metadata === '' ? null : transfer.metadata,
      },
      body: { upload_offset: transfer.received, upload_length: transfer.length },
    }),
  },
  returns: v.object({
    upload_offset: v.pipe(v.number(), v.description('The number of bytes received so far.')),
    upload_length: v.pipe(v.number(), v.description('Bytes of the whole file.')),
  }),
  command: { apply: getResumableUpload },
})

function getResumableUpload(
  tx: RealmTransaction,
  caller: Caller,
  { upload }: { readonly upload: string },
): Transfer {
  return transferOf(tx, requireOwnUpload(tx, caller, upload), false)
}
