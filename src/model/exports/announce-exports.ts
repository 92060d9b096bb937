import { ADMINISTRATORS, type Audience } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmExportEvent } from '../../events/realm-export.ts'
import type { StoredRealmExportConsentEvent } from '../../events/realm-export-consent.ts'
import { ROLES, type Role } from '../../rules/roles.ts'
import { listExports } from '../../store/exports/export-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { isForOwners, presentExports } from './present-export.ts'

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
