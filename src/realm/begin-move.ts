import type { RealmIdentity } from '../core/realm-transaction.ts'
import { CountedSql } from '../engine/counted-sql.ts'
import type { KeptPlan, MovePlan } from '../model/backups/move-plan.ts'
import { movedTo, writeRestoration } from '../store/backups/restoration-rows.ts'
import { readMetaJson, writeMeta } from '../store/meta-rows.ts'
import { upgradeSchema } from '../store/schema/schema.ts'
import type { EmptyObject } from './begin-copy.ts'
import { hasStorage, readIdentity, writeHost, writeIdentity } from './identity.ts'

/**
 * Makes an object one that fills itself with a backup of another server: an empty one, or that of the same organization, which has moved away
 * from here. False for any other.
 */
export function beginMove(
  { storage, schemaSteps, now }: EmptyObject,
  identity: RealmIdentity,
  plan: MovePlan,
): boolean {
  const isNew = !hasStorage(storage.sql)
  const sql = new CountedSql(storage.sql)
  const known = isNew ? undefined : readIdentity(storage.sql)
  if (!isNew) {
    if (known?.createdAt !== identity.createdAt || known.copyOf) return false
    const isComing =
      known.host === identity.host && readMetaJson<KeptPlan>(sql, 'move_plan')?.takenAt === plan.takenAt
    if (isComing) return true
    if (movedTo(sql) === undefined) return false
  }
  storage.transactionSync(() => {
    upgradeSchema(storage.sql, schemaSteps)
    if (known) writeHost(storage.sql, known, identity.host)
    else writeIdentity(storage.sql, identity)
    writeMeta(sql, 'move_plan', JSON.stringify({ ...plan, isNew } satisfies KeptPlan))
    writeRestoration(sql, {
      backupId: plan.backupId,
      takenAt: plan.takenAt,
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
