/** What stands between addresses that people type, or copy from a table or a mail. */
const BETWEEN = /[\n,;]/

/** An address with a name, as mail programs copy it. */
const NAMED = /<([^<>\s]{1,320})>$/

/**
 * Returns the mail addresses of a text, one per line as the server takes them. Of `Clara Moreau <clara@example.com>` the address counts.
 * What is no address stays as it is, for the server to say so.
 */
export function addressesIn(text: string): string {
  return text
    .split(BETWEEN)
    .flatMap((part) => {
      const entry = part.trim()
      const named = NAMED.exec(entry)
      if (named) return named[1]!
      return entry.includes('@') ? entry.split(/\s+/) : entry
    })
    .filter((entry) => entry !== '')
    .join('\n')
}
