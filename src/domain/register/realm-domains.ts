import { listDomains } from '../realm/domain-rows.ts'
import { presentDomain } from '../realm/present-domain.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_domains`. */
export const realmDomainsSnapshot: Snapshot = ({ sql }) => ({
  realm_domains: listDomains(sql).map(presentDomain),
})
