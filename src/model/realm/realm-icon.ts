import { createHash } from 'node:crypto'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { type RealmImageName, readRealmImage } from '../../store/realm/realm-setting-rows.ts'

/**
 * A picture in the form for clients. `origin`: pictures have absolute addresses, so that any client can load
 * them.
 */
export interface PresentedRealmImage {
  readonly url: string
  /** 'U' for an uploaded picture; else 'G' for the icon and 'D' for logos. */
  readonly source: 'U' | 'G' | 'D'
}

/** Returns a picture of the organization; without one a pattern made from its host name. */
export function presentRealmImage(
  { sql, realm }: { readonly sql: Sql; readonly realm: RealmIdentity },
  origin: string,
  name: RealmImageName,
): PresentedRealmImage {
  const { path, version } = readRealmImage(sql, name)
  if (path !== null) return { url: `${origin}${path}?version=${version}`, source: 'U' }
  const digest = createHash('md5').update(realm.host).digest('hex')
  return {
    url: `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${version}`,
    source: name === 'icon' ? 'G' : 'D',
  }
}
