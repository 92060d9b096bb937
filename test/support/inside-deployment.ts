/** Exports work of the deployment that no request starts: the databases in D1, and the deletion of organizations. */

export { sweepRealms, takeUpDeletions } from '../../src/http/deployment/sweep-realms.ts'
export { deleteOrganization } from '../../src/realm/delete-organization.ts'
export { measureDatabase } from '../../src/store/d1/body-databases.ts'
export { type PurgeBudget, purgeSearchIndex, REALM_TABLES } from '../../src/store/d1/delete-realm.ts'
export { applyBatch, readApplied } from '../../src/store/d1/projection.ts'
