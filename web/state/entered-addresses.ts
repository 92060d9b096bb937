/** The separators of addresses that people type, or copy from a table or a mail. */
const BETWEEN = /[\n,;]/

/** A quoted name before an address, in which separators are part of it. Other quotes are around what counts. */
const QUOTED = /"[^"\n]*"(?=[ \t]*<)/g

/** An address after a name, as mail programs copy it. */
const NAMED = /<([^<>\s]{1,320})>/g

/**
 * Returns the mail addresses of a text, one per line as the server takes them. Of `Clara Moreau <clara@example.com>` the address counts.
 * Other entries stay, so that the server can refuse them.
 */
export function addressesIn(text: string): string {
  return text
    .replaceAll(QUOTED, ' ')
    .replaceAll('"', ' ')
    .split(BETWEEN)
    .flatMap((part) => {
      const entry = part.trim()
      const named = [...entry.matchAll(NAMED)].map(([, address]) => address!)
      // Addresses between those with names count too.
      if (named.length > 0) return [...named, ...entry.replaceAll(NAMED, ' ').split(/\s+/).filter(isAddress)]
      return isAddress(entry) ? entry.split(/\s+/) : entry
    })
    .filter((entry) => entry !== '')
    .join('\n')
}

function isAddress(text: string): boolean {
  return text.includes('@')
}
