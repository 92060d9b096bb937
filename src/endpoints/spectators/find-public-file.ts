import { findPublicFile } from '../../domain/spectators/find-public-file.ts'
import { notYours, type UploadPath } from '../../domain/uploads/find-file.ts'
import { defineStep } from '../define-endpoint.ts'
import { inAddress } from '../step-types.ts'

/** GET /user_uploads/… without an account. Source: docs/interface/visitors.md#files-and-pictures. */
export const findPublicFileStep = defineStep({
  operation: 'find-public-file',
  access: 'spectator',
  params: { path: inAddress },
  command: findPublicFile,
  audit: 'read-only',
  rateLimit: 'user',
  perThing: { name: ({ path }: UploadPath) => `file ${path}`, refusal: notYours },
})
