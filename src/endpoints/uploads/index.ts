import type { Endpoint, Operation } from '../define-endpoint.ts'
import { findFileStep, findTemporaryFileStep } from './find-file.ts'
import { getAttachmentsEndpoint } from './get-attachments.ts'
import { getFileTemporaryUrlEndpoint } from './get-file-temporary-url.ts'
import { removeAttachmentEndpoint } from './remove-attachment.ts'
import { enterUploadStep, uploadFileEndpoint } from './upload-file.ts'

export const UPLOAD_ENDPOINTS: readonly Endpoint[] = [
  getAttachmentsEndpoint,
  getFileTemporaryUrlEndpoint,
  removeAttachmentEndpoint,
  uploadFileEndpoint,
]

export const UPLOAD_STEPS: readonly Operation[] = [enterUploadStep, findFileStep, findTemporaryFileStep]
