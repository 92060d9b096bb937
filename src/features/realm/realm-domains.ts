import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import { EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { realmDomainSchema } from '../../events/realm-lists.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { announceProperty } from '../../model/realm/announce-realm-change.ts'
import { presentDomain, requireDomainName } from '../../model/realm/present-realm.ts'
import { deleteDomain, listDomains, putDomain, type RealmDomain } from '../../store/realm/realm-list-rows.ts'
import { realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'

/** Lists the domains to which accounts' addresses may belong. Source: docs/interface/organization.md#domains. */
export const getRealmDomainsEndpoint = defineEndpoint({
  operation: 'get-realm-domains',
  route: 'GET /realm/domains',
  access: 'owner',
  returns: v.object({ domains: v.array(realmDomainSchema) }),
  query: ({ sql }) => ({ domains: listDomains(sql).map(presentDomain) }),
})

export const addRealmDomainEndpoint = defineEndpoint({
  operation: 'add-realm-domain',
  route: 'POST /realm/domains',
  access: 'owner',
  params: { domain: textUpTo(NAME_LENGTH), allow_subdomains: jsonBoolean },
  returns: v.object({ new_domain: v.string() }),
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
  // Domains decide which addresses may join.
  audit: () => ({ action: 'organization_changed', details: { domains: 'added' } }),
})

export const updateRealmDomainEndpoint = defineEndpoint({
  operation: 'update-realm-domain',
  route: 'PATCH /realm/domains/:domain',
  access: 'owner',
  params: { domain: textUpTo(NAME_LENGTH), allow_subdomains: jsonBoolean },
  apply(tx, _caller, params) {
    const present = requireDomain(tx.sql, params.domain)
    if (present.allowsSubdomains !== params.allow_subdomains) {
      put(tx, 'change', { ...present, allowsSubdomains: params.allow_subdomains })
    }
  },
  audit: () => ({ action: 'organization_changed', details: { domains: 'changed' } }),
})

/** Removes a domain. With the last one the restriction ends too, since it would admit nobody. */
export const removeRealmDomainEndpoint = defineEndpoint({
  operation: 'remove-realm-domain',
  route: 'DELETE /realm/domains/:domain',
  access: 'owner',
  params: { domain: textUpTo(NAME_LENGTH) },
  apply(tx, _caller, params) {
    const { domain } = requireDomain(tx.sql, params.domain)
    deleteDomain(tx.sql, domain)
    tx.emit({ type: 'realm_domains', op: 'remove', domain }, EVERYONE)
    if (listDomains(tx.sql).length === 0 && realmProperty(tx.sql, 'emails_restricted_to_domains')) {
      writeRealmSetting(tx.sql, 'emails_restricted_to_domains', false)
      announceProperty(tx, 'emails_restricted_to_domains')
    }
  },
  audit: () => ({ action: 'organization_changed', details: { domains: 'removed' } }),
})

function put(tx: RealmTransaction, op: 'add' | 'change', domain: RealmDomain): void {
  putDomain(tx.sql, domain)
  tx.emit({ type: 'realm_domains', op, realm_domain: presentDomain(domain) }, EVERYONE)
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
