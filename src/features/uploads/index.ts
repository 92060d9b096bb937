import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { appendToResumableUploadEndpoint } from './append-to-resumable-upload.ts'
import { checkThumbnailStatusEndpoint } from './check-thumbnail-status.ts'
import { createResumableUploadEndpoint } from './create-resumable-upload.ts'
import { findFileStep, findTemporaryFileStep } from './find-file.ts'
import { getAttachmentsEndpoint } from './get-attachments.ts'
import { getFileTemporaryUrlEndpoint } from './get-file-temporary-url.ts'
import { getResumableUploadEndpoint } from './get-resumable-upload.ts'
import { removeAttachmentEndpoint } from './remove-attachment.ts'
import { removeResumableUploadEndpoint } from './remove-resumable-upload.ts'
import { enterUploadStep, uploadFileEndpoint } from './upload-file.ts'
import { completeUploadStep, continueUploadStep, keepUploadChunkStep } from './upload-steps.ts'

export const UPLOAD_ENDPOINTS: readonly Endpoint[] = [
  appendToResumableUploadEndpoint,
  checkThumbnailStatusEndpoint,
  createResumableUploadEndpoint,
  getResumableUploadEndpoint,
  removeResumableUploadEndpoint,
  getAttachmentsEndpoint,
  getFileTemporaryUrlEndpoint,
  removeAttachmentEndpoint,
  uploadFileEndpoint,
]

export const UPLOAD_STEPS: readonly Operation[] = [
  completeUploadStep,
  keepUploadChunkStep,
  continueUploadStep,
  enterUploadStep,
  findFileStep,
  findTemporaryFileStep,
]
