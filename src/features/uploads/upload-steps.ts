import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { imageFacts, pathInStore } from '../../api/step-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireOwnUpload, type Transfer, transferOf } from '../../model/uploads/resumable-upload.ts'
import { completeUpload, keepUploadChunk } from './upload-chunk.ts'

/** Enters a stored chunk of a resumable upload. */
export const keepUploadChunkStep = defineStep({
  operation: 'keep-upload-chunk',
  access: 'user',
  params: {
    upload: textUpTo(NAME_LENGTH),
    from: nonNegativeInteger,
    goesOn: v.boolean(),
    start: nonNegativeInteger,
    size: nonNegativeInteger,
    directory: pathInStore,
  },
  command: { apply: keepUploadChunk },
  audit: 'step',
})

/** Enters a resumable upload that is stored completely. */
export const completeUploadStep = defineStep({
  operation: 'complete-upload',
  access: 'user',
  params: {
    upload: textUpTo(NAME_LENGTH),
    from: nonNegativeInteger,
    directory: pathInStore,
    image: imageFacts,
  },
  command: { apply: completeUpload },
  audit: 'speech',
})

/**
 * Looks how far an upload has come that an earlier request with the same key announced. Bytes are expected
 * only if none has been stored, and in a directory of their own: the earlier request may be under way still.
 */
export const continueUploadStep = defineStep({
  operation: 'continue-upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  command: { apply: continueUpload },
  audit: 'step',
})

function continueUpload(
  tx: RealmTransaction,
  caller: Caller,
  { upload: id }: { readonly upload: string },
): Transfer {
  const upload = requireOwnUpload(tx, caller, id)
  return transferOf(tx, upload, upload.received === 0, caller.source.fileId)
}
