import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import { findFile, findTemporaryFile } from '../../model/uploads/find-file.ts'

/** The step behind the addresses of files outside the API. */
export const findFileStep = defineStep({
  operation: 'find-file',
  access: 'user',
  params: { path: inAddress },
  command: findFile,
  audit: 'read-only',
})

export const findTemporaryFileStep = defineStep({
  operation: 'find-temporary-file',
  access: 'anyone',
  params: { token: inAddress },
  command: findTemporaryFile,
  audit: 'read-only',
})
