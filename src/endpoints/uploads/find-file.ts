import { findFile, findTemporaryFile } from '../../domain/uploads/find-file.ts'
import { defineStep } from '../define-endpoint.ts'

/** What the addresses of files outside the API ask for. */
export const findFileStep = defineStep({ operation: 'find-file', access: 'user', command: findFile })

export const findTemporaryFileStep = defineStep({
  operation: 'find-temporary-file',
  access: 'anyone',
  command: findTemporaryFile,
})
