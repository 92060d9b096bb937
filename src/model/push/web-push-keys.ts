import { Buffer } from 'node:buffer'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'

/** Keys by which push services recognize this organization (RFC 8292), in Base64 for URLs. */
export interface WebPushKeys {
  /** 65 bytes: a point of P-256, uncompressed. Browsers get it. */
  readonly publicKey: string
  readonly privateKey: string
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Makes new keys, which count once they are stored. */
export async function makeWebPushKeys(): Promise<WebPushKeys> {
  const pair = (await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])) as CryptoKeyPair
  const point = (await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer
  const { d } = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey
  return { publicKey: Buffer.from(point).toString('base64url'), privateKey: d! }
}

/** Returns the keys, or undefined if no client has asked for them yet. */
export function readWebPushKeys(sql: Sql): WebPushKeys | undefined {
  const kept = readMeta<JsonText<WebPushKeys>>(sql, 'web_push_keys')
  return kept === undefined ? undefined : fromJson(kept)
}

export function keepWebPushKeys(sql: WritableSql, keys: WebPushKeys): void {
  writeMeta(sql, 'web_push_keys', JSON.stringify(keys))
}
