import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { PresentedExport } from '../../events/realm-export.ts'
import { type HasRole, isOwner } from '../../rules/roles.ts'
import { archiveName, EXPORT_PATH } from '../../store/exports/archive-key.ts'
import { EXPORT_TYPES, type RealmExport } from '../../store/exports/export-rows.ts'
import { addressSecret } from './export-addresses.ts'

/**
 * Returns the export for an administrator. The address of a whole one, which has everybody's private data, is for owners alone. Source:
 * docs/interface/administration.md#exports.
 */
function presentExport(tx: RealmTransaction, exported: RealmExport, reader: HasRole): PresentedExport {
  const { realm } = tx
  const { finishedAt, failedAt, deletedAt } = exported
  const isThere = finishedAt !== null && deletedAt === null
  const hasAddress = isThere && (isOwner(reader) || !isForOwners(exported))
  return {
    id: exported.id,
    acting_user_id: exported.actingUserId,
    export_time: exported.startedAt,
    deleted_timestamp: deletedAt,
    failed_timestamp: failedAt,
    export_url: hasAddress
      ? `${exported.origin}${EXPORT_PATH}${realm.id}/${addressSecret(tx, exported)}/${archiveName(realm, exported)}`
      : null,
    pending: finishedAt === null && failedAt === null && deletedAt === null,
    export_type: exported.type,
    export_from_prior_server: false,
  }
}

export function presentExports(
  tx: RealmTransaction,
  reader: HasRole,
  exports: readonly RealmExport[],
): PresentedExport[] {
  return exports.map((exported) => presentExport(tx, exported, reader))
}

/** Whether its address is for owners alone. */
export function isForOwners({ type }: Pick<RealmExport, 'type'>): boolean {
  return type === EXPORT_TYPES.whole
}
