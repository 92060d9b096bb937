import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { getAttachmentsEndpoint, removeAttachmentEndpoint } from './attachments.ts'
import {
  checkThumbnailStatusEndpoint,
  findFileStep,
  findTemporaryFileStep,
  getFileTemporaryUrlEndpoint,
} from './files.ts'
import {
  appendToResumableUploadEndpoint,
  createResumableUploadEndpoint,
  getResumableUploadEndpoint,
  removeResumableUploadEndpoint,
} from './resumable-uploads.ts'
import { completeUploadStep, continueUploadStep, keepUploadChunkStep } from './upload-chunk.ts'
import { enterUploadStep, uploadFileEndpoint } from './upload-file.ts'

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
