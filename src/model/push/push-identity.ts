import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type MetaKey, readMeta, writeMeta } from '../../store/meta-rows.ts'

type Identifying = Pick<RealmTransaction, 'sql' | 'randomHex'>

/** Returns the organization's id that no other has, on any server. Its storage has it from the start. */
export function realmUuid(tx: Identifying): string {
  return known(tx, 'realm_uuid')
}

/**
 * Returns the bouncer's id for a user, since users' own ids repeat in every organization of the deployment.
 */
export function pushUserUuid(tx: Identifying, userId: number): string {
  return known(tx, `push_user_uuid:${userId}`)
}

function known(tx: Identifying, key: MetaKey): string {
  const uuid = readMeta<string>(tx.sql, key)
  if (uuid !== undefined) return uuid
  const made = uuidOf(tx.randomHex(16))
  writeMeta(tx.sql, key, made)
  return made
}

/** Returns a random UUID (RFC 9562, version 4). */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ]
  return groups.join('-')
}
