import type { RealmView } from '../../core/realm-transaction.ts'
import type { MarkdownLookups } from '../../markdown/render.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { findSeenWebsite } from '../../store/website-previews/seen-website-rows.ts'

/** Length of an address. Longer ones are not stored, and so get no preview. */
const MAX_ADDRESS_LENGTH = 2_048

/**
 * Returns the lookup of websites for a message of `author`. Bots link to much and are read by few, so theirs
 * have no previews. The setting is read only when needed: most messages have no links.
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
    return isOn && address.length <= MAX_ADDRESS_LENGTH ? findSeenWebsite(sql, address, now) : null
  }
}

/** Returns the address of the whole page, which has one preview, whatever fragment of it is linked to. */
export function pageAddress(href: string): string {
  return href.split('#', 1)[0]!
}
