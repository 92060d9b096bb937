import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

/** The domains, read when the first address is judged: most organizations' objects never do. */
let known: ReadonlySet<string> | undefined

/** Does the domain, or one that it is a part of, hand out mailboxes to be thrown away? */
export function isDisposableDomain(domain: string): boolean {
  known ??= disposableEmailBlocklistSet()
  const labels = domain.toLowerCase().split('.')
  for (let first = 0; first < labels.length - 1; first += 1) {
    if (known.has(labels.slice(first).join('.'))) return true
  }
  return false
}
