import { deploymentOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { ApiError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { EXPIRE_RESUMABLE_UPLOAD } from './forget-resumable-upload.ts'
import { CHUNK_TYPE, requireSpace, type Transfer, transferOf } from './resumable-upload.ts'
import { insertResumableUpload, type ResumableUpload } from './resumable-upload-rows.ts'
import { readUploadMetadata } from './upload-metadata.ts'

/** Seconds for uploading a file, from its creation on. */
const UNDER_WAY_SECONDS = DAY

export interface CreateResumableUploadParams {
  readonly upload_length?: number
  readonly upload_metadata: string
  readonly content_type?: string
}

/**
 * Announces a file, with its length: it may come with the same request, or later. Source: tus 1.0.0,
 * creation. The statuses are the protocol's.
 */
export const createResumableUpload: Command<Caller, CreateResumableUploadParams, void, Transfer> = {
  apply(tx, caller, { upload_length: length, upload_metadata: metadata, content_type }) {
    const { user, source } = caller
    if (length === undefined) {
      throw new ApiError('BAD_REQUEST', 'The length of an upload must be known when it is created', {}, 411)
    }
    const { maxFileUploadMib } = deploymentOf(source)
    if (length > maxFileUploadMib * MIB) {
      const msg = `File is larger than this server's configured maximum upload size (${maxFileUploadMib} MiB).`
      throw new ApiError('BAD_REQUEST', msg, {}, 413)
    }
    requireSpace(tx, source, length)
    readUploadMetadata(metadata)
    const upload: ResumableUpload = {
      id: tx.randomHex(16),
      ownerId: user.id,
      metadata,
      length,
      received: 0,
      expiresAt: Math.floor(tx.now) + UNDER_WAY_SECONDS,
      attachmentId: null,
    }
    withinQuota(tx, caller, 'uploads', () => insertResumableUpload(tx.sql, upload))
    tx.schedule({ kind: EXPIRE_RESUMABLE_UPLOAD, key: upload.id, dueAt: upload.expiresAt })
    return transferOf(tx, upload, length === 0 || content_type === CHUNK_TYPE, source.fileId)
  },
}
