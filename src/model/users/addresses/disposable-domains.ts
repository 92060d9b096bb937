import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

/** The domains, read when the first address is checked: most organizations' objects never do. */
let known: ReadonlySet<string> | undefined

/** Whether the domain, or one of which it is a part, gives out disposable mailboxes. */
export function isDisposableDomain(domain: string): boolean {
  known ??= disposableEmailBlocklistSet()
  const labels = domain.toLowerCase().split('.')
  for (let first = 0; first < labels.length - 1; first += 1) {
    if (known.has(labels.slice(first).join('.'))) return true
  }
  return false
}
