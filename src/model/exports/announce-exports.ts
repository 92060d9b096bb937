import { ADMINISTRATORS, type Audience } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { PresentedExport, StoredRealmExportEvent } from '../../events/realm-export.ts'
import type { StoredRealmExportConsentEvent } from '../../events/realm-export-consent.ts'
import { type HasRole, isOwner, ROLES, type Role } from '../../rules/roles.ts'
import { archiveName, EXPORT_PATH } from '../../store/exports/archive-key.ts'
import { EXPORT_TYPES, listExports, type RealmExport } from '../../store/exports/export-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { addressSecret } from './export-addresses.ts'

/**
 * Emits the whole list of exports to administrators after a change of one; to owners one of their own, where it differs. Source:
 * docs/interface/events.md#events-about-the-organization.
 */
export function announceExports(tx: RealmTransaction): void {
  const exports = listExports(tx.sql)
  const emit = (role: Role, audience: Audience) => {
    const event: StoredRealmExportEvent = {
      type: 'realm_export',
      exports: presentExports(tx, { role }, exports),
    }
    tx.emit(event, audience)
  }
  if (!exports.some(isForOwners)) {
    emit(ROLES.administrator, ADMINISTRATORS)
    return
  }
  for (const role of [ROLES.owner, ROLES.administrator]) emit(role, { roles: [role] })
}

/**
 * Notifies administrators whether someone consents to exports of private data, which no other event does.
 */
export function announceExportConsent(tx: RealmTransaction, user: User): void {
  if (user.botType !== null) return
  const event: StoredRealmExportConsentEvent = {
    type: 'realm_export_consent',
    user_id: user.id,
    consented: userSetting(user, 'allow_private_data_export'),
  }
  tx.emit(event, ADMINISTRATORS)
}

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
function isForOwners({ type }: Pick<RealmExport, 'type'>): boolean {
  return type === EXPORT_TYPES.whole
}
