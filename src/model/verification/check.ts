import type { StoreContents } from '../../core/other-stores.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'

/** A violation of a rule, without people's names and texts. */
export interface Finding {
  readonly check: string
  /** The thing concerned: `message 12`, `topic 7`. */
  readonly what: string
  readonly problem: string
  /** Whether it has been repaired in the same commit. */
  readonly repaired: boolean
}

export type Found = Omit<Finding, 'check'>

/** The part of a check that one call makes. */
interface Chunk {
  readonly findings: readonly Found[]
  /** Position at which the next call continues; undefined at the end of the check. */
  readonly next?: number
}

/** One rule about an organization's data, checked chunk by chunk. */
export interface Check<Loaded = unknown> {
  readonly name: string
  /** Reads from D1 and R2. The realm may change meanwhile, which `examine` takes into account. */
  fetch?(contents: StoreContents, view: RealmReads, after: number, repair: boolean): Promise<Loaded>
  /** Checks the chunk after this position. With `repair`, repairs values that can be derived. */
  examine(
    tx: RealmTransaction,
    after: number,
    repair: boolean,
    loaded: Loaded,
    contents: StoreContents,
  ): Chunk
}

/** Defines a check, without the type of its loaded data, so that all checks fit into one list. */
export function defineCheck<Loaded = void>(check: Check<Loaded>): Check {
  return check as Check
}
