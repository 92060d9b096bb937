import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireImportUpload } from '../../model/imports/import-upload.ts'
import type { ImportUpload } from '../../store/imports/import-upload-rows.ts'
import { importUploadHeaders } from './import-upload-headers.ts'

/** Gets how much of an archive has been received. Source: tus 1.0.0, HEAD. */
export const getImportUploadEndpoint = defineEndpoint({
  operation: 'get-import-upload',
  method: 'GET',
  path: '/imports/uploads/:upload',
  access: 'owner',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 200: { description: 'The headers say how many bytes have been received.', hasBody: true } },
    answerHeaders: [
      'Upload-Offset',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Expires',
      'Upload-Part-Size',
    ],
    answer: (upload: ImportUpload) => ({
      status: 200,
      headers: {
        ...importUploadHeaders(upload),
        'Upload-Length': upload.length,
        'Upload-Metadata': upload.metadata === '' ? null : upload.metadata,
      },
      body: { upload_offset: upload.received, upload_length: upload.length },
    }),
  },
  returns: v.object({
    upload_offset: v.pipe(v.number(), v.description('The number of bytes received so far.')),
    upload_length: v.pipe(v.number(), v.description('Bytes of the whole archive.')),
  }),
  command: { apply: getImportUpload },
})

function getImportUpload(
  tx: RealmReads,
  _owner: Caller,
  { upload }: { readonly upload: string },
): ImportUpload {
  return requireImportUpload(tx, upload)
}
