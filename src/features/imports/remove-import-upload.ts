import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { textUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { endImportUpload, requireImportUpload } from '../../model/imports/import-upload.ts'

/** Deletes an archive, whether all of it has been received or not. Source: tus 1.0.0, termination. */
export const removeImportUploadEndpoint = defineEndpoint({
  operation: 'remove-import-upload',
  method: 'DELETE',
  path: '/imports/uploads/:upload',
  access: 'owner',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 204: { description: 'The archive is being deleted.', hasBody: false } },
    answerHeaders: [],
    answer: () => ({ status: 204, headers: {} }),
  },
  returns: v.object({}),
  command: { apply: removeImportUpload },
  audit: { because: 'the import of the archive has an entry' },
})

function removeImportUpload(
  tx: RealmTransaction,
  _owner: Caller,
  { upload }: { readonly upload: string },
): object {
  endImportUpload(tx, requireImportUpload(tx, upload))
  return {}
}
