import { createHmac } from 'node:crypto'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { readMeta, writeMeta } from '../meta-rows.ts'
import { listExports, type RealmExport } from './export-rows.ts'

/**
 * Archives are opened by their addresses alone, which all administrators know. What an address ends with is made of the
 * export's own secret and of a key, which is another one as soon as somebody is no administrator any more.
 */

/** 48 hex digits: what the address of an archive has in it now. Makes the key where there is none yet. */
export function addressSecret(tx: RealmTransaction, exported: RealmExport): string {
  const key = readMeta<string>(tx.sql, 'export_address_key') ?? renewKey(tx)
  return sign(key, exported)
}

/** The export whose address has this in it; undefined where none has, or has it no more. */
export function findExportAt({ sql }: Pick<RealmView, 'sql'>, secret: string): RealmExport | undefined {
  const key = readMeta<string>(sql, 'export_address_key')
  return key === undefined ? undefined : listExports(sql).find((exported) => sign(key, exported) === secret)
}

/** All addresses are others from now on. */
export function renewKey(tx: RealmTransaction): string {
  const key = tx.randomHex(32)
  writeMeta(tx.sql, 'export_address_key', key)
  return key
}

function sign(key: string, { id, secret }: RealmExport): string {
  return createHmac('sha256', key).update(`${id} ${secret}`).digest('hex').slice(0, 48)
}
