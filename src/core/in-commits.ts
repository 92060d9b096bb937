import { type Commits, commit } from './command.ts'
import type { RealmTransaction } from './realm-transaction.ts'

/**
 * Makes a change in as many commits as it takes. `next` makes one, from what the one before has returned, and returns what is left, or the
 * result. `isLeft`: tells the two apart; absent: whatever is not undefined is left.
 */
export function* inCommits<Context, Left, Result = undefined>(
  next: (tx: RealmTransaction, context: Context, left: Left | undefined) => Left | Result,
  isLeft = (made: Left | Result): made is Left => made !== undefined,
): Commits<Context, Result> {
  for (let left: Left | undefined; ; ) {
    const before: Left | undefined = left
    const made: Left | Result = yield* commit((tx, context: Context) => next(tx, context, before))
    if (!isLeft(made)) return made
    left = made
  }
}

/**
 * Changes the items of a list, in their order, in as many commits as it takes. Returns what the commits return.
 * `cost`: the number of items of one commit; or, where only the commit can tell, the number of those that it has done, from what it returns.
 * `change`: makes one commit, of these items, or of the first of them; `before` is what the one before it has returned.
 */
export function* eachInCommits<Context, Item, Value>(
  items: readonly Item[],
  cost: number | ((made: Value) => number),
  change: (tx: RealmTransaction, context: Context, next: readonly Item[], before: Value | undefined) => Value,
): Commits<Context, Value[]> {
  const made: Value[] = []
  for (let at = 0; at < items.length; ) {
    const next = typeof cost === 'number' ? items.slice(at, at + cost) : items.slice(at)
    const before = made.at(-1)
    const value: Value = yield* commit((tx, context: Context) => change(tx, context, next, before))
    made.push(value)
    at += typeof cost === 'number' ? cost : cost(value)
  }
  return made
}
