import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type MetaKey, readMeta, writeMeta } from '../../store/meta-rows.ts'

type SecretName = Extract<MetaKey, `${string}_secret`>

/** Returns a secret with which the organization signs: made when it is first needed, and never given away. */
export function ownSecret(
  { sql, randomHex }: Pick<RealmTransaction, 'sql' | 'randomHex'>,
  name: Exclude<SecretName, 'jwt_secret'>,
): string {
  const known = readMeta<string>(sql, name)
  if (known !== undefined) return known
  const secret = randomHex(32)
  writeMeta(sql, name, secret)
  return secret
}
