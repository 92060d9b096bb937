import { EVERYONE } from '../../core/audience.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredRealmDomainsEvent } from '../../events/realm-domains.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { announceProperty } from './announce-realm-change.ts'
import { deleteDomain, listDomains, putDomain, type RealmDomain } from './domain-rows.ts'
import { type PresentedDomain, presentDomain } from './present-domain.ts'
import { realmProperty, writeRealmSetting } from './realm-setting-rows.ts'

export const getRealmDomains: ReadCommand<Caller, unknown, void, { domains: PresentedDomain[] }> = {
  reads: true,
  apply: ({ sql }) => ({ domains: listDomains(sql).map(presentDomain) }),
}

export const addRealmDomain: Command<Caller, PresentedDomain, void, { new_domain: string }> = {
  apply(tx, caller, params) {
    const domain = requireDomainName(params.domain)
    if (findDomain(tx.sql, domain)) {
      throw new BadRequestError(`The domain ${domain} is already a part of your organization.`)
    }
    withinQuota(tx, caller, 'domains', () =>
      put(tx, 'add', { domain, allowsSubdomains: params.allow_subdomains }),
    )
    return { new_domain: domain }
  },
}

export const updateRealmDomain: Command<Caller, PresentedDomain, void, object> = {
  apply(tx, _caller, params) {
    const present = requireDomain(tx.sql, params.domain)
    if (present.allowsSubdomains !== params.allow_subdomains) {
      put(tx, 'change', { ...present, allowsSubdomains: params.allow_subdomains })
    }
    return {}
  },
}

/** Removes a domain. With the last one the restriction ends too, since it would let nobody in. */
export const removeRealmDomain: Command<Caller, Pick<PresentedDomain, 'domain'>, void, object> = {
  apply(tx, _caller, params) {
    const { domain } = requireDomain(tx.sql, params.domain)
    deleteDomain(tx.sql, domain)
    const event: StoredRealmDomainsEvent = { type: 'realm_domains', op: 'remove', domain }
    tx.emit(event, EVERYONE)
    if (listDomains(tx.sql).length === 0 && realmProperty(tx.sql, 'emails_restricted_to_domains')) {
      writeRealmSetting(tx.sql, 'emails_restricted_to_domains', false)
      announceProperty(tx, 'emails_restricted_to_domains')
    }
    return {}
  },
}

function put(tx: RealmTransaction, op: 'add' | 'change', domain: RealmDomain): void {
  putDomain(tx.sql, domain)
  const event: StoredRealmDomainsEvent = { type: 'realm_domains', op, realm_domain: presentDomain(domain) }
  tx.emit(event, EVERYONE)
}

function findDomain(sql: Sql, name: string): RealmDomain | undefined {
  const wanted = name.trim().toLowerCase()
  return listDomains(sql).find(({ domain }) => domain === wanted)
}

function requireDomain(sql: Sql, name: string): RealmDomain {
  const found = findDomain(sql, name)
  if (!found) throw new BadRequestError(`No entry found for domain ${name}.`)
  return found
}

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** Returns the name in its stored form: lower case. */
function requireDomainName(name: string): string {
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
