/** Work of the deployment that no request begins: the databases in D1, and organizations that are deleted. */

export { sweepRealms, takeUpDeletions } from '../../src/http/deployment/sweep-realms.ts'
export { deleteOrganization } from '../../src/realm/delete-organization.ts'
export { measureDatabase } from '../../src/store/d1/body-databases.ts'
export { type PurgeBudget, purgeSearchIndex, REALM_TABLES } from '../../src/store/d1/delete-realm.ts'
export { applyBatch, readApplied } from '../../src/store/d1/projection.ts'
