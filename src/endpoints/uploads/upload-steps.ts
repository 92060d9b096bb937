import { completeUpload, keepUploadPiece } from '../../domain/uploads/append-to-resumable-upload.ts'
import { defineStep } from '../define-endpoint.ts'

/** A piece of a resumable upload is in the store. */
export const keepUploadPieceStep = defineStep({
  operation: 'keep-upload-piece',
  access: 'user',
  command: keepUploadPiece,
})

/** All of a resumable upload is in the store. */
export const completeUploadStep = defineStep({
  operation: 'complete-upload',
  access: 'user',
  command: completeUpload,
})
