import { BadRequestError } from '../../core/errors.ts'
import type { RealmDomain } from '../../store/realm/domain-rows.ts'

/** A domain in which accounts may have their address. Source: docs/interface/organization.md#domains. */
export interface PresentedDomain {
  readonly domain: string
  readonly allow_subdomains: boolean
}

export function presentDomain({ domain, allowsSubdomains }: RealmDomain): PresentedDomain {
  return { domain, allow_subdomains: allowsSubdomains }
}

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** Returns the name in its stored form: lower case. */
export function requireDomainName(name: string): string {
  const domain = name.trim().toLowerCase()
  const labels = domain.split('.')
  const problem =
    domain === ''
      ? "Domain can't be empty."
      : labels.length < 2
        ? 'Domain must have at least one dot (.)'
        : labels.every((label) => LABEL.test(label))
          ? undefined
          : "Domain can only have letters, numbers, '.' and '-'s."
  if (problem !== undefined) throw new BadRequestError(`Invalid domain: ${problem}`)
  return domain
}
