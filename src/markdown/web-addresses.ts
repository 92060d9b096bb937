import { findAddresses } from './addresses.ts'
import { sharedParser } from './parser.ts'

/** A bare web address in a text: `[start, end)` in UTF-16 units. */
export interface WebAddress {
  start: number
  end: number
  text: string
  url: string
}

/** Finds the `http://` and `https://` addresses of a text. Names without a scheme do not count. */
export function findWebAddresses(text: string): WebAddress[] {
  return findAddresses(text)
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    .filter((address) => /^https?:\/\//i.test(address.text))
    .map((address) => ({ ...address, url: sharedParser().normalizeLink(address.text) }))
}
