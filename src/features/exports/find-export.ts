import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { findExportAt } from '../../model/exports/export-addresses.ts'
import type { StoredFile } from '../../model/uploads/find-file.ts'
import { archiveKey, archiveName } from '../../store/exports/archive-key.ts'

/** The step behind the address of an archive. */
export const findExportStep = defineStep({
  operation: 'find-export',
  access: 'anyone',
  params: { secret: inAddress },
  command: { apply: findExportArchive },
  audit: ({ view, params }) => ({
    action: 'export_downloaded',
    details: { export_id: findExportAt(view, params.secret)!.id },
  }),
})

/** Finds the archive at an address, for anybody who knows it. */
function findExportArchive(
  tx: RealmTransaction,
  _anybody: unknown,
  { secret }: { readonly secret: string },
): StoredFile {
  const exported = findExportAt(tx, secret)
  if (!exported || exported.size === null || exported.deletedAt !== null) {
    throw new NotFoundError('There is no such export.')
  }
  return {
    key: archiveKey(tx.realm.id, exported),
    name: archiveName(tx.realm, exported),
    contentType: 'application/x-tar',
    size: exported.size,
  }
}
