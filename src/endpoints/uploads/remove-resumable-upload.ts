import * as v from 'valibot'
import { removeResumableUpload } from '../../domain/uploads/remove-resumable-upload.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

/** Ends an upload, complete or not. Source: tus 1.0.0, termination. */
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
  command: removeResumableUpload,
  audit: 'speech',
})
