import type { ImportUpload } from '../../store/imports/import-upload-rows.ts'

/** Returns the progress of an archive, in the headers of the tus protocol, and the size of its parts. */
export function importUploadHeaders({
  received,
  expiresAt,
  partSize,
}: Pick<ImportUpload, 'received' | 'expiresAt' | 'partSize'>) {
  return {
    'Upload-Offset': received,
    'Upload-Expires': new Date(expiresAt * 1_000).toUTCString(),
    'Upload-Part-Size': partSize,
  }
}
