import { Buffer } from 'node:buffer'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { type MetaKey, readMeta, readMetaJson, writeMeta } from '../../store/meta-rows.ts'

type Identifying = Pick<RealmTransaction, 'sql' | 'randomHex'>

/** Returns the organization's id, which is unique among all servers. */
export function realmUuid(tx: Identifying): string {
  return uuidAt(tx, 'realm_uuid')
}

/** Returns the bouncer's id for a user: users' own ids repeat in every organization of the deployment. */
export function pushUserUuid(tx: Identifying, userId: number): string {
  return uuidAt(tx, `push_user_uuid:${userId}`)
}

function uuidAt(tx: Identifying, key: MetaKey): string {
  const uuid = readMeta<string>(tx.sql, key)
  if (uuid !== undefined) return uuid
  const made = uuidOf(tx.randomHex(16))
  writeMeta(tx.sql, key, made)
  return made
}

/** Returns a UUID (RFC 9562, version 4) made of 32 random digits. */
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

/** Keys by which push services recognize this organization (RFC 8292), in Base64 for URLs. */
export interface WebPushKeys {
  /** 65 bytes: a point of P-256, uncompressed. Browsers get it. */
  readonly publicKey: string
  readonly privateKey: string
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

export async function makeWebPushKeys(): Promise<WebPushKeys> {
  const pair = (await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])) as CryptoKeyPair
  const point = (await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer
  const { d } = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
  return { publicKey: Buffer.from(point).toString('base64url'), privateKey: d! }
}

/** Returns the keys, or undefined if no client has asked for them yet. */
export function readWebPushKeys(sql: Sql): WebPushKeys | undefined {
  return readMetaJson(sql, 'web_push_keys')
}

export function keepWebPushKeys(sql: WritableSql, keys: WebPushKeys): void {
  writeMeta(sql, 'web_push_keys', JSON.stringify(keys))
}
