import * as v from 'valibot'
import { removeAttachment } from '../../domain/uploads/remove-attachment.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Deletes one of the caller's uploads. Source: docs/interface/uploads.md#ones-files. */
export const removeAttachmentEndpoint = defineEndpoint({
  operation: 'remove-attachment',
  method: 'DELETE',
  path: '/attachments/:attachment_id',
  access: 'user',
  params: { attachment_id: pathInteger },
  returns: v.object({}),
  command: removeAttachment,
  audit: ({ params }) => ({
    action: 'file_deleted',
    details: { attachment_id: params.attachment_id },
  }),
})
