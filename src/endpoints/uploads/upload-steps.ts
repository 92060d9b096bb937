import * as v from 'valibot'
import { completeUpload, keepUploadChunk } from '../../domain/uploads/append-to-resumable-upload.ts'
import { continueUpload } from '../../domain/uploads/continue-upload.ts'
import { defineStep } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { nonNegativeInteger, textUpTo } from '../parameter-types.ts'
import { imageFacts, pathInStore } from '../step-types.ts'

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
  command: keepUploadChunk,
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
  command: completeUpload,
  audit: 'speech',
})

/** Continues what an earlier request with the same key has announced. */
export const continueUploadStep = defineStep({
  operation: 'continue-upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  command: continueUpload,
  audit: 'step',
})
