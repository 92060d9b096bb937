import type { StoreContents } from '../../core/command.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'

/** Something that is not as it must be. No content, no names of people. */
export interface Finding {
  readonly check: string
  /** The thing that it is about: `message 12`, `topic 7`. */
  readonly what: string
  readonly problem: string
  /** Whether it has been mended in the same commit. */
  readonly repaired: boolean
}

export type Found = Omit<Finding, 'check'>

/** The part of a check that one call goes through. */
export interface Chunk {
  readonly findings: readonly Found[]
  /** The position at which the next call goes on; undefined when the check is through. */
  readonly next?: number
}

/** One rule about an organization's data, looked at chunk by chunk. */
export interface Check<Loaded = unknown> {
  readonly name: string
  /** Reads what D1 and R2 say. Nothing is held meanwhile: `examine` looks whether the realm has moved on. */
  load?(contents: StoreContents, view: RealmView, after: number, repair: boolean): Promise<Loaded>
  /** Looks at what comes after this position, and mends it when `repair` is set and it can be derived. */
  examine(
    tx: RealmTransaction,
    after: number,
    repair: boolean,
    loaded: Loaded,
    contents: StoreContents,
  ): Chunk
}

/** Forgets what is loaded, so that checks stand in one list. */
export function defineCheck<Loaded = void>(check: Check<Loaded>): Check {
  return check as Check
}
