import { createHash } from 'node:crypto'
import type { RealmIdentity } from '../../core/realm-transaction.ts'

/** The organization's square picture: a pattern made of its host name, absolute so that any client can load it. */
export function realmIconUrl({ host }: RealmIdentity): string {
  const digest = createHash('md5').update(host).digest('hex')
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=1`
}
