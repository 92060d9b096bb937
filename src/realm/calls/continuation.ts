import type { Continuation, RealmTransaction } from '../../core/realm-transaction.ts'
import { findLeft, writeLeft } from '../../store/open-changes/continuation-rows.ts'

/** Returns the job that makes the commits of a continuation. The ids of other changes that it finishes begin with a digit. */
export function jobOfContinuation({ name }: Pick<Continuation<object>, 'name'>, key: string) {
  return { kind: 'finish-change', key: `${name}:${key}` } as const
}

/** Makes the next commit of a continuation, if anything is left. Returns whether more is. */
export function makeNextCommit(
  tx: RealmTransaction,
  continuation: Continuation<object>,
  key: string,
): boolean {
  const left = findLeft(tx.sql, continuation, key)
  if (left === undefined) return false
  const after = continuation.next(tx, left, key)
  writeLeft(tx.sql, continuation, key, after)
  return after !== undefined
}
