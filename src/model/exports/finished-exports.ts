import { createHmac } from 'node:crypto'
import { ADMINISTRATORS, type Audience } from '../../core/audience.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type {
  PresentedExport,
  StoredRealmExportConsentEvent,
  StoredRealmExportEvent,
} from '../../events/realm-lists.ts'
import { type HasRole, isOwner, ROLES, type Role } from '../../rules/roles.ts'
import {
  archiveKey,
  archiveName,
  EXPORT_PATH,
  EXPORT_TYPES,
  listExports,
  markDeleted,
  type RealmExport,
} from '../../store/exports/export-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { scheduleRemoval } from '../uploads/attachments.ts'

/** Emits the whole list of exports to administrators after a change; owners get their own, where it differs. */
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

/** Notifies administrators whether a user consents to exports of private data. */
export function announceExportConsent(tx: RealmTransaction, user: User): void {
  if (user.botType !== null) return
  const event: StoredRealmExportConsentEvent = {
    type: 'realm_export_consent',
    user_id: user.id,
    consented: userSetting(user, 'allow_private_data_export'),
  }
  tx.emit(event, ADMINISTRATORS)
}

/** Presents exports to an administrator. The address of a whole one, which has everyone's private data, is for owners alone. */
export function presentExports(
  tx: RealmTransaction,
  reader: HasRole,
  exports: readonly RealmExport[],
): PresentedExport[] {
  const { realm } = tx
  return exports.map((exported) => {
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
  })
}

function isForOwners({ type }: Pick<RealmExport, 'type'>): boolean {
  return type === EXPORT_TYPES.whole
}

/**
 * Returns the secret part of an archive's address, 48 hex digits, with which it can be loaded without other credentials. It derives from
 * the export's own secret and from a key, which is renewed as soon as someone is no longer an administrator, or no longer an owner.
 */
function addressSecret(tx: RealmTransaction, exported: RealmExport): string {
  return sign(readMeta<string>(tx.sql, 'export_address_key') ?? renewKey(tx), exported)
}

/** Finds the export with this secret part in its present address. */
export function findExportAt({ sql }: Pick<RealmView, 'sql'>, secret: string): RealmExport | undefined {
  const key = readMeta<string>(sql, 'export_address_key')
  return key === undefined ? undefined : listExports(sql).find((exported) => sign(key, exported) === secret)
}

/** Renews the key, so that all addresses change. */
function renewKey(tx: RealmTransaction): string {
  const key = tx.randomHex(32)
  writeMeta(tx.sql, 'export_address_key', key)
  return key
}

function sign(key: string, { id, secret }: RealmExport): string {
  return createHmac('sha256', key).update(`${id} ${secret}`).digest('hex').slice(0, 48)
}

/** Renews all addresses when someone is no longer an administrator or owner, and tells those who may know them. */
export function renewExportAddresses(tx: RealmTransaction): void {
  const isAnyThere = listExports(tx.sql).some(({ finishedAt, deletedAt }) => finishedAt && !deletedAt)
  if (!isAnyThere) return
  renewKey(tx)
  announceExports(tx)
}

export function deleteArchive(tx: RealmTransaction, exported: RealmExport): void {
  markDeleted(tx.sql, exported.id, tx.now)
  scheduleRemoval(tx, archiveKey(tx.realm.id, exported), tx.now)
  announceExports(tx)
}
