import * as v from 'valibot'
import { getAttachments } from '../../domain/uploads/get-attachments.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { attachment } from './attachment-schema.ts'

/** The caller's own uploads. Source: docs/interface/uploads.md#ones-files. */
export const getAttachmentsEndpoint = defineEndpoint({
  operation: 'get-attachments',
  method: 'GET',
  path: '/attachments',
  access: 'user',
  params: {},
  largeAnswer: true,
  returns: v.object({
    attachments: v.array(attachment),
    upload_space_used: v.pipe(v.number(), v.description('Bytes, of the whole organization.')),
  }),
  command: getAttachments,
})
