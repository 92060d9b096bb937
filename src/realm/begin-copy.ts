import type { RealmIdentity } from '../core/realm-transaction.ts'
import { CountedSql } from '../engine/counted-sql.ts'
import type { CopyPlan } from '../model/backups/plan-copy.ts'
import { writeRestoration } from '../store/backups/restoration-rows.ts'
import { writeMeta } from '../store/meta-rows.ts'
import { type SchemaStep, upgradeSchema } from '../store/schema/schema.ts'
import { hasStorage, readIdentity, writeIdentity } from './identity.ts'

export interface EmptyObject {
  readonly storage: DurableObjectStorage
  readonly schemaSteps: readonly SchemaStep[]
  readonly now: number
}

/** Makes an empty object one that fills itself with a backup of another organization. False if it has anything but this copy. */
export function beginCopy(
  { storage, schemaSteps, now }: EmptyObject,
  identity: RealmIdentity,
  plan: CopyPlan,
): boolean {
  if (hasStorage(storage.sql)) return isSameCopy(storage.sql, identity)
  storage.transactionSync(() => {
    upgradeSchema(storage.sql, schemaSteps)
    writeIdentity(storage.sql, identity)
    const sql = new CountedSql(storage.sql)
    writeMeta(sql, 'copy_plan', JSON.stringify(plan))
    writeRestoration(sql, {
      backupId: plan.backupId,
      takenAt: plan.facts.takenAt,
      askedBy: null,
      beganAt: now,
      archiveId: null,
      progress: { stage: 'empty' },
      tries: 0,
      endedAt: null,
      outcome: null,
    })
  })
  return true
}

/** Whether the object has the copy of the same moment of the same organization. */
function isSameCopy(storage: SqlStorage, { host, copyOf }: RealmIdentity): boolean {
  const known = readIdentity(storage)
  return (
    known?.host === host &&
    known.copyOf?.realmId === copyOf?.realmId &&
    known.copyOf?.takenAt === copyOf?.takenAt
  )
}
