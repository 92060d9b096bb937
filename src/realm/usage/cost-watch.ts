import { D1_CALLS } from '../../core/budgets.ts'
import { type CostCaps, SHED_FROM, type ShedStep } from '../../core/cost-cap.ts'
import type { Counts } from '../../core/metrics.ts'
import { beginOfMonth } from '../../core/time.ts'
import { withinTime } from '../../core/within-time.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import type { Memory } from '../../engine/memory.ts'
import { capOf, usedOfCap } from '../../model/cost/cost-cap.ts'
import { sumMonthDollars } from '../../store/d1/organization-usage.ts'
import { ALL_TIME, usageOf } from '../../store/usage/usage-rows.ts'

/** Seconds between two questions for the cost of all organizations. */
const ASKED_EVERY_SECONDS = 900

interface CostParts {
  readonly sql: CountedSql
  readonly memory: Memory
  costCaps(): CostCaps
  now(): number
}

/** How near the organization is to its cost cap. It reads nothing while there is none. */
export class CostWatch {
  readonly #parts: CostParts
  #figures: Readonly<Counts> | undefined
  /** What all organizations have cost in this month, and when that was asked (UNIX seconds). */
  #deployment: { readonly dollars: number; readonly at: number } | undefined

  constructor(parts: CostParts) {
    this.#parts = parts
  }

  /** Follows the figures that were just noted. */
  follow(figures: Readonly<Counts>): void {
    this.#figures = figures
  }

  /** The part of the cap that is used up. */
  get used(): number {
    const { sql, memory, costCaps, now } = this.#parts
    const tx = {
      recall: <Value>(slot: Parameters<typeof memory.recall<Value>>[0]) => memory.recall(slot, sql),
    }
    const caps = costCaps()
    if (caps.deployment === undefined && capOf(tx, caps) === undefined) return 0
    this.#figures ??= usageOf(sql, ALL_TIME)
    return usedOfCap(tx, caps, this.#figures, now())
  }

  /** Returns what all organizations have cost this month, as a figure; none before it was asked, or without a common cap. */
  ofDeployment(now: number): Counts {
    const { dollars, at } = this.#deployment ?? { dollars: 0, at: 0 }
    return at < beginOfMonth(now) ? {} : { deployment_month_dollars: dollars }
  }

  /** Asks D1 now and then what all organizations have cost, if they have a common cap. It reads a row for each of them. */
  async askDeployment(db: D1Database, now: number): Promise<void> {
    if (this.#parts.costCaps().deployment === undefined) return
    if (this.#deployment && Math.abs(now - this.#deployment.at) < ASKED_EVERY_SECONDS) return
    const dollars = await withinTime(D1_CALLS.answerMs, sumMonthDollars(db, beginOfMonth(now)))
    this.#deployment = { dollars, at: now }
    this.#figures = { ...this.#figures, ...this.ofDeployment(now) }
  }

  isShed(step: ShedStep): boolean {
    return this.used >= SHED_FROM[step]
  }
}
