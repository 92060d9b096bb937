import { findFile, findTemporaryFile } from '../../domain/uploads/find-file.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

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
