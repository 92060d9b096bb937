import type { CostCaps } from '../../core/cost-cap.ts'
import type { Counts } from '../../core/metrics.ts'
import type { MemorySlot, RealmReads } from '../../core/realm-transaction.ts'
import { beginOfMonth } from '../../core/time.ts'
import { readMeta } from '../../store/meta-rows.ts'

/** The cap that the owners have set, in dollars a month. */
export const OWN_CAP: MemorySlot<{ dollars: number | undefined }> = {
  name: 'cost-cap',
  load: (sql) => ({ dollars: readMeta<number>(sql, 'cost_cap') }),
}

/** Returns the lower of the owners' cap and the deployment's for this organization; undefined without either. */
export function capOf(tx: Pick<RealmReads, 'recall'>, caps: CostCaps): number | undefined {
  const both = [tx.recall(OWN_CAP).dollars, caps.organization].filter((cap) => cap !== undefined)
  return both.length === 0 ? undefined : Math.min(...both)
}

/**
 * Returns the part that is used up: of the organization's cap, or of the deployment's, whichever is more; 0 without a cap.
 * @param figures as they were last noted
 */
export function usedOfCap(
  tx: Pick<RealmReads, 'recall'>,
  caps: CostCaps,
  figures: Readonly<Counts>,
  now: number,
): number {
  // Figures of the month before say nothing of this one.
  if ((figures.noted_timestamp_seconds ?? 0) < beginOfMonth(now)) return 0
  const part = (cap: number | undefined, dollars = 0) => (cap === undefined ? 0 : dollars / cap)
  return Math.max(
    part(capOf(tx, caps), figures.month_dollars),
    part(caps.deployment, figures.deployment_month_dollars),
  )
}
