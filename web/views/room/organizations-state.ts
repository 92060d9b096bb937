import { signal } from '@preact/signals'
import { readStored, store } from '../../ui/stored.ts'

/** An organization elsewhere, of which this browser knows the address alone. */
export interface KnownOrganization {
  /** Its origin. */
  readonly url: string
  readonly name: string
}

export const MAX_ORGANIZATIONS = 20
const KEY = 'organizations'

/**
 * The other organizations of the user, kept by this browser for this organization. Each has an address of its own, and browsers keep
 * addresses apart, so that nothing of them is known here but what the user has written.
 */
export const otherOrganizations = signal<readonly KnownOrganization[]>(
  (readStored<{ all: KnownOrganization[] }>(KEY)?.all ?? []).flatMap(({ url, name }) => {
    const origin = originOf(String(url))
    return origin ? [{ url: origin, name: String(name) }] : []
  }),
)

/** Returns the address of an organization; undefined for what is none. A scheme need not be written. */
export function originOf(written: string): string | undefined {
  const text = written.trim()
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (text === '' || !URL.canParse(address)) return undefined
  const { protocol, origin, hostname } = new URL(address)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && (hostname.includes('.') || hostname === 'localhost') ? origin : undefined
}

export function addOrganization(organization: KnownOrganization): void {
  keep([...otherOrganizations.value.filter(({ url }) => url !== organization.url), organization])
}

export function removeOrganization(url: string): void {
  keep(otherOrganizations.value.filter((one) => one.url !== url))
}

export function keep(all: readonly KnownOrganization[]): void {
  otherOrganizations.value = all.slice(0, MAX_ORGANIZATIONS)
  store(KEY, { all: otherOrganizations.value })
}
