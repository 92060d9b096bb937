import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY, HOUR } from '../../core/time.ts'
import type { MarkdownLookups, WebsitePreview } from '../../markdown/render.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import type { User } from '../users/user-rows.ts'
import {
  deleteExpiredWebsites,
  findSeenWebsite,
  hasSeenWebsites,
  putSeenWebsite,
} from './seen-website-rows.ts'

/** The job that forgets what is too old. */
export const FORGET_WEBSITES = 'forget-websites'

const KEPT_SECONDS = 7 * DAY
/** A page that has nothing to show may only be out of order. */
const KEPT_EMPTY_SECONDS = HOUR
/** The length of an address. Longer ones are not remembered, and so get no preview. */
const LONGEST_ADDRESS = 2_048

/**
 * The lookup of websites for a message of `author`. Bots link to much and are read by few, so theirs show nothing. The setting
 * is looked up only for who asks: most messages link to nothing.
 */
export function websiteLookup(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  { botType }: User,
): MarkdownLookups['websitePreview'] {
  if (botType !== null) return undefined
  let isOn: boolean | undefined
  return (href) => {
    isOn ??= realmProperty(sql, 'inline_url_embed_preview')
    const address = pageAddress(href)
    return isOn && address.length <= LONGEST_ADDRESS ? findSeenWebsite(sql, address, now) : null
  }
}

/** The address of the whole page: it has one preview, whatever place in it is linked to. */
export function pageAddress(href: string): string {
  return href.split('#', 1)[0]!
}

/** Remembers what was found at addresses. */
export function rememberWebsites(
  tx: RealmTransaction,
  seen: ReadonlyMap<string, WebsitePreview | null>,
): void {
  for (const [address, preview] of seen) {
    putSeenWebsite(tx.sql, address, preview, tx.now + (preview ? KEPT_SECONDS : KEPT_EMPTY_SECONDS))
  }
  if (seen.size > 0) tx.schedule({ kind: FORGET_WEBSITES, key: '', dueAt: tx.now + DAY })
}

/** Forgets websites that were not linked to lately, once a day while there are any. Returns when to go on. */
export function forgetOldWebsites(tx: RealmTransaction): number | undefined {
  deleteExpiredWebsites(tx.sql, tx.now)
  return hasSeenWebsites(tx.sql) ? tx.now + DAY : undefined
}
