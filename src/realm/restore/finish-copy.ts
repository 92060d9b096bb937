import type { CountedSql } from '../../engine/counted-sql.ts'
import type { CopyPlan } from '../../model/backups/plan-copy.ts'
import { limitCopy } from '../../store/backups/copy-rows.ts'
import { deleteMeta, readMetaJson } from '../../store/meta-rows.ts'

/** Makes the filled object what a copy may be. Again, it changes nothing. */
export function finishCopy(sql: CountedSql): void {
  const plan = readMetaJson<CopyPlan>(sql, 'copy_plan')
  if (!plan) return
  limitCopy(sql, plan.limits, { name: plan.name, until: plan.facts.until })
  deleteMeta(sql, 'copy_plan')
}
