import { createHmac } from 'node:crypto'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { listExports, type RealmExport } from '../../store/exports/export-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/**
 * Addresses of archives, which all administrators know (of whole ones the owners alone), and which need no further credentials. An address
 * ends with a value derived from the export's own secret and from a key, which is renewed as soon as someone
 * is no longer an administrator, or no longer an owner.
 */

/**
 * Returns the present secret part of an archive's address, 48 hex digits. Makes the key if there is none yet.
 */
export function addressSecret(tx: RealmTransaction, exported: RealmExport): string {
  const key = readMeta<string>(tx.sql, 'export_address_key') ?? renewKey(tx)
  return sign(key, exported)
}

/** Finds the export with this secret part in its present address; undefined without one. */
export function findExportAt({ sql }: Pick<RealmView, 'sql'>, secret: string): RealmExport | undefined {
  const key = readMeta<string>(sql, 'export_address_key')
  return key === undefined ? undefined : listExports(sql).find((exported) => sign(key, exported) === secret)
}

/** Renews the key, so that all addresses change. */
export function renewKey(tx: RealmTransaction): string {
  const key = tx.randomHex(32)
  writeMeta(tx.sql, 'export_address_key', key)
  return key
}

function sign(key: string, { id, secret }: RealmExport): string {
  return createHmac('sha256', key).update(`${id} ${secret}`).digest('hex').slice(0, 48)
}
