import type { RealmDomain } from '../../store/realm/domain-rows.ts'

/** A domain in which accounts may have their address. Source: docs/interface/organization.md#domains. */
export interface PresentedDomain {
  readonly domain: string
  readonly allow_subdomains: boolean
}

export function presentDomain({ domain, allowsSubdomains }: RealmDomain): PresentedDomain {
  return { domain, allow_subdomains: allowsSubdomains }
}
