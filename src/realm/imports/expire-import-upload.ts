import { DAY } from '../../core/time.ts'
import { isBeingImported } from '../../model/imports/import-upload.ts'
import {
  changeExpiry,
  deleteImportUpload,
  findImportUpload,
  type ImportUpload,
} from '../../store/imports/import-upload-rows.ts'
import { uploadDirectory, uploadKey } from '../../store/uploads/upload-key.ts'
import type { NextTime } from '../jobs/change-by-job.ts'
import type { Runtime } from '../runtime.ts'

/** Deletes an archive whose time is over, unless an import reads it. Until its bytes are gone the upload is known, so that this may be run again. */
export async function expireImportUpload(runtime: Runtime, id: string): Promise<NextTime> {
  const { sql, uploads, realm, now } = runtime
  const upload = findImportUpload(sql, id)
  if (!upload) return undefined
  if (upload.expiresAt > now()) return upload.expiresAt
  if (isBeingImported(runtime, upload)) {
    const later = Math.floor(now()) + DAY
    changeExpiry(sql, id, later)
    return later
  }
  const key = uploadKey(uploadDirectory(realm.id, id))
  await abortParts(runtime, key, upload)
  await uploads.delete(key)
  deleteImportUpload(sql, id)
  return undefined
}

/** The code of R2's error for an upload that it does not know, or no longer. */
const NO_SUCH_UPLOAD = '10024'

async function abortParts(
  { uploads }: Pick<Runtime, 'uploads'>,
  key: string,
  { multipartId, isComplete }: ImportUpload,
): Promise<void> {
  // R2 may have put the parts together without an answer.
  if (multipartId === null || isComplete || (await uploads.head(key))) return
  try {
    await uploads.resumeMultipartUpload(key, multipartId).abort()
  } catch (error) {
    if (!String(error).includes(NO_SUCH_UPLOAD)) throw error
  }
}
