import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { PresentedExport } from '../../events/realm-export.ts'
import { addressSecret } from './export-addresses.ts'
import { listExports, type RealmExport } from './export-rows.ts'

/** The export as administrators see it. Source: docs/interface/administration.md#exports. */
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
  }
}

export function presentExports(tx: RealmTransaction): PresentedExport[] {
  return listExports(tx.sql).map((exported) => presentExport(tx, exported))
}

/** Archives are loaded below it, by realm, secret and name. Nobody can guess an address. */
export const EXPORT_PATH = '/user_avatars/exports/'

export function archiveName({ stringId }: RealmView['realm'], { id }: Pick<RealmExport, 'id'>): string {
  return `${stringId}-export-${id}.tar`
}

/** Everything of an export in R2 has a key that begins so. */
export function exportPrefix(realmId: number, { secret }: Pick<RealmExport, 'secret'>): string {
  return `exports/${realmId}/${secret}/`
}

export function archiveKey(realmId: number, exported: Pick<RealmExport, 'secret'>): string {
  return `${exportPrefix(realmId, exported)}archive`
}
