import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { deleteArchive } from '../../model/exports/delete-archive.ts'
import { findExport } from '../../store/exports/export-rows.ts'

/**
 * Deletes an archive: its address is invalid at once, its bytes are deleted later. Source:
 * docs/interface/administration.md#exports.
 */
export const deleteRealmExportEndpoint = defineEndpoint({
  operation: 'delete-realm-export',
  method: 'DELETE',
  path: '/export/realm/:export_id',
  access: 'administrator',
  params: { export_id: pathInteger },
  returns: v.object({}),
  command: { apply: deleteRealmExport },
  audit: ({ params }) => ({
    action: 'export_deleted',
    details: { export_id: params.export_id },
  }),
})

function deleteRealmExport(
  tx: RealmTransaction,
  _administrator: Caller,
  { export_id }: { readonly export_id: number },
): object {
  const exported = findExport(tx.sql, export_id)
  if (!exported) throw new BadRequestError('Invalid data export ID')
  if (exported.deletedAt !== null) throw new BadRequestError('Export already deleted')
  if (exported.failedAt !== null) throw new BadRequestError('Export failed, nothing to delete')
  if (exported.finishedAt === null) throw new BadRequestError('Export still in progress')
  deleteArchive(tx, exported)
  return {}
}
