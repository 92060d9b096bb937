import { BadRequestError, NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { WEEK } from '../../core/time.ts'
import { findUnfinishedImport } from '../../store/imports/import-rows.ts'
import { changeExpiry, findImportUpload, type ImportUpload } from '../../store/imports/import-upload-rows.ts'
import { uploadDirectory } from '../../store/uploads/upload-keys.ts'

/** Seconds for which an archive is kept after its upload or an import of it has begun. R2 keeps unfinished parts for as long. */
export const UPLOAD_KEPT_SECONDS = WEEK

/** Returns the upload, whoever its owner is. */
export function requireImportUpload({ sql, now }: Pick<RealmView, 'sql' | 'now'>, id: string): ImportUpload {
  const upload = findImportUpload(sql, id)
  if (!upload || upload.expiresAt <= now) {
    throw new NotFoundError('This upload does not exist, or it has expired')
  }
  return upload
}

/** Returns the path of an archive, in the form of other uploads' paths (uploads/upload-keys.ts). */
export function pathOfImportUpload({ realm }: Pick<RealmView, 'realm'>, { id, name }: ImportUpload): string {
  return `${uploadDirectory(realm.id, id)}/${name}`
}

export function uploadIdAt(path: string): string {
  return path.split('/')[2] ?? ''
}

/** Whether an import reads the archive. */
export function isBeingImported({ sql }: Pick<RealmView, 'sql'>, { id }: Pick<ImportUpload, 'id'>): boolean {
  const underWay = findUnfinishedImport(sql)
  return underWay !== undefined && uploadIdAt(underWay.archivePath) === id
}

/** Keeps the archive for another while. */
export function keepImportUpload(tx: RealmTransaction, { id }: ImportUpload): void {
  const expiresAt = Math.floor(tx.now) + UPLOAD_KEPT_SECONDS
  changeExpiry(tx.sql, id, expiresAt)
  tx.unschedule({ kind: 'expire-import-upload', key: id })
  tx.schedule({ kind: 'expire-import-upload', key: id, dueAt: expiresAt })
}

/** Ends an upload. Its bytes are deleted soon. @throws BadRequestError while an import reads it */
export function endImportUpload(tx: RealmTransaction, upload: ImportUpload): void {
  if (isBeingImported(tx, upload)) throw new BadRequestError('This archive is being imported')
  changeExpiry(tx.sql, upload.id, Math.floor(tx.now))
  tx.schedule({ kind: 'expire-import-upload', key: upload.id, dueAt: tx.now })
}
