import * as v from 'valibot'
import {
  addRealmDomain,
  getRealmDomains,
  removeRealmDomain,
  updateRealmDomain,
} from '../../domain/realm/realm-domains.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, textUpTo } from '../parameter-types.ts'

/**
 * A domain in which accounts may have their address; owners decide. Source:
 * docs/interface/organization.md#domains.
 */
const domain = v.object({ domain: v.string(), allow_subdomains: v.boolean() })

export const getRealmDomainsEndpoint = defineEndpoint({
  operation: 'get-realm-domains',
  method: 'GET',
  path: '/realm/domains',
  access: 'owner',
  params: {},
  returns: v.object({ domains: v.array(domain) }),
  command: getRealmDomains,
})

export const addRealmDomainEndpoint = defineEndpoint({
  operation: 'add-realm-domain',
  method: 'POST',
  path: '/realm/domains',
  access: 'owner',
  params: { domain: textUpTo(NAME_LENGTH), allow_subdomains: jsonBoolean },
  returns: v.object({ new_domain: v.string() }),
  command: addRealmDomain,
  // Domains decide which addresses may join.
  audit: () => ({ action: 'organization_changed', details: { domains: 'added' } }),
})

export const updateRealmDomainEndpoint = defineEndpoint({
  operation: 'update-realm-domain',
  method: 'PATCH',
  path: '/realm/domains/:domain',
  access: 'owner',
  params: { domain: textUpTo(NAME_LENGTH), allow_subdomains: jsonBoolean },
  returns: v.object({}),
  command: updateRealmDomain,
  audit: () => ({ action: 'organization_changed', details: { domains: 'changed' } }),
})

export const removeRealmDomainEndpoint = defineEndpoint({
  operation: 'remove-realm-domain',
  method: 'DELETE',
  path: '/realm/domains/:domain',
  access: 'owner',
  params: { domain: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: removeRealmDomain,
  audit: () => ({ action: 'organization_changed', details: { domains: 'removed' } }),
})
