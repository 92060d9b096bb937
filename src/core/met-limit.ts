import { DAY } from './time.ts'

/** The code with which requests are refused while the platform allows no more (core/daily-limits.ts). */
export type LimitCode = 'DAILY_LIMIT_REACHED' | 'SPENDING_LIMIT_REACHED'

/** A limit of the platform that an organization has met. */
export interface MetLimit {
  readonly code: LimitCode
  /** UNIX seconds of the first and the last refusal. */
  readonly since: number
  readonly last: number
  /** Requests that were refused. */
  readonly refused: number
}

export function isLimitCode(code: string | null): code is LimitCode {
  return code === 'DAILY_LIMIT_REACHED' || code === 'SPENDING_LIMIT_REACHED'
}

/** Returns both as one, if they are of the same limit and day; else the later one. */
export function bothLimits(a: MetLimit | undefined, b: MetLimit): MetLimit {
  if (!a || !isSameLimit(a, b)) return !a || b.since >= a.since ? b : a
  return {
    code: a.code,
    since: Math.min(a.since, b.since),
    last: Math.max(a.last, b.last),
    refused: a.refused + b.refused,
  }
}

export function isSameLimit(
  a: Pick<MetLimit, 'code' | 'since'>,
  b: Pick<MetLimit, 'code' | 'since'>,
): boolean {
  return a.code === b.code && Math.floor(a.since / DAY) === Math.floor(b.since / DAY)
}
