import { findAddresses } from '../../markdown/addresses.ts'
import { escapeName } from '../../markdown/mention-text.ts'
import { webAddress } from '../markdown.ts'
import type { SlackNames } from './names.ts'
import { linkTo } from './spans.ts'

/**
 * Returns a link of a text. Without a label an address is written as it is if every reader finds its end, which depends on
 * `next`, the sign after it.
 */
export function linkOf(url: string, label: string, next: string, names: SlackNames): string {
  const reference = names.address(url)
  const shown = label.trim()
  if (reference !== undefined) return linkTo(shown || url, reference)
  if (/^(?:mailto|tel):/i.test(url)) return escapeName(shown || url.replace(/^\w+:/, ''))
  if (shown === '' || shown === url) {
    const [found] = findAddresses(url)
    const isWhole = found?.start === 0 && found.end === url.length
    if (isWhole && /^(?:$|[\s,;!?])/.test(next) && !/[*`]|~~|\$\$/.test(url)) return url
  }
  const address = webAddress(url)
  // Other addresses cannot be opened from a page: they are text.
  if (address === undefined) return escapeName(shown === '' || shown === url ? url : `${shown} (${url})`)
  return linkTo(shown || url, address)
}
