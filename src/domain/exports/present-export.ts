import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { PresentedExport } from '../../events/realm-export.ts'
import { archiveName, EXPORT_PATH } from './archive-key.ts'
import { addressSecret } from './export-addresses.ts'
import { listExports, type RealmExport } from './export-rows.ts'

/** Returns the export for administrators. Source: docs/interface/administration.md#exports. */
function presentExport(tx: RealmTransaction, exported: RealmExport): PresentedExport {
  const { realm } = tx
  const { finishedAt, failedAt, deletedAt } = exported
  const isThere = finishedAt !== null && deletedAt === null
  return {
    id: exported.id,
    acting_user_id: exported.actingUserId,
    export_time: exported.startedAt,
    deleted_timestamp: deletedAt,
    failed_timestamp: failedAt,
    export_url: isThere
      ? `${exported.origin}${EXPORT_PATH}${realm.id}/${addressSecret(tx, exported)}/${archiveName(realm, exported)}`
      : null,
    pending: finishedAt === null && failedAt === null && deletedAt === null,
    export_type: exported.type,
    export_from_prior_server: false,
  }
}

export function presentExports(tx: RealmTransaction): PresentedExport[] {
  return listExports(tx.sql).map((exported) => presentExport(tx, exported))
}
