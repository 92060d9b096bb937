import type { Walks } from '../../../core/command.ts'
import { FLAGGED_IN_ONE_COMMIT } from '../../../core/commit-budgets.ts'
import { BudgetSpentError, type RealmView, type StaleError } from '../../../core/realm-transaction.ts'
import { requirePeriodsRead } from '../../subscriptions/period-rows.ts'
import { findMessages, type IndexedMessage, newestMessageId } from '../message-rows.ts'
import { compileNarrow } from '../narrow/compile-narrow.ts'
import { MatchingMessages } from '../narrow/matching-messages.ts'
import type { NarrowTerm } from '../narrow/narrow-terms.ts'
import { ownRecords } from '../narrow/universe.ts'
import { Turns } from '../narrow/walk-in-turns.ts'
import { WorkBudget } from '../narrow/work-budget.ts'
import type { Viewer } from '../read/message-access.ts'
import type { ReadSet } from './read-rows.ts'

/** A viewer's next unread messages of one sender. With what came meanwhile they may be some more than one commit changes. */
interface NextUnread {
  /** Ascending by id; of each the viewer has a record, and it is unread in `read`. */
  readonly messages: readonly IndexedMessage[]
  readonly read: ReadSet
  /** The id up to which these are all; undefined when they are all that there are. */
  readonly reached: number | undefined
}

/** Facts that `load` gives to the commit: what it found in several turns, where one was not enough. */
export interface LoadedUnreadOfSender {
  /** Number of rows that may be read in the turn of the commit. */
  readonly rowsAtOnce: number
  readonly found?: {
    readonly ids: readonly number[]
    readonly reached: number | undefined
    /** The newest message when the search began; later ones are looked for in the commit. */
    readonly newest: number
  }
}

/** Finds the messages above an id in several turns, if one was not enough (`stale` says so). */
export async function loadUnreadOfSender(
  walks: Walks,
  view: RealmView,
  viewer: Viewer,
  { senderId, above }: { readonly senderId: number; readonly above: number },
  stale: StaleError | undefined,
): Promise<LoadedUnreadOfSender> {
  const { rowsAtOnce } = walks.budgets
  if (!(stale instanceof BudgetSpentError)) return { rowsAtOnce }
  const turns = new Turns(walks, view.sql)
  await turns.next()
  const newest = newestMessageId(view.sql)
  const walk = unreadOf(view, viewer, senderId).matching.walk(walkFrom(above))
  const ids: number[] = []
  const end = await turns.walk(walk, ({ id }) => ids.push(id) < FLAGGED_IN_ONE_COMMIT)
  await turns.restBeforeAnswer()
  return { rowsAtOnce, found: { ids, reached: end === 'finished' ? undefined : walk.reached, newest } }
}

/**
 * Returns the next messages above an id.
 * @throws BudgetSpentError when one turn's budget is not enough: `load` finds them then.
 * @throws NotPreparedError where the periods of a viewer in many channels are to be read first.
 */
export function nextUnreadOfSender(
  view: RealmView,
  viewer: Viewer,
  { senderId, above }: { readonly senderId: number; readonly above: number },
  { rowsAtOnce, found }: LoadedUnreadOfSender,
): NextUnread {
  if (!found) return nextInThisTurn(view, viewer, { senderId, above }, rowsAtOnce)
  const isEnd = found.reached === undefined
  const newest = newestMessageId(view.sql)
  if (isEnd && newest - found.newest > FLAGGED_IN_ONE_COMMIT) throw new BudgetSpentError()
  // Their number is known, while a walk would begin in each of thousands of channels again.
  const newer = isEnd ? Array.from({ length: newest - found.newest }, (_, at) => found.newest + 1 + at) : []
  const ids = [...new Set([...found.ids, ...newer])]
  const { matching, read } = unreadOf(view, viewer, senderId, ids)
  return { messages: matching.among(findMessages(view.sql, ids)), read, reached: found.reached }
}

function nextInThisTurn(
  view: RealmView,
  viewer: Viewer,
  { senderId, above }: { readonly senderId: number; readonly above: number },
  rowsAtOnce: number,
): NextUnread {
  requirePeriodsRead(view, viewer.user.id)
  const messages: IndexedMessage[] = []
  const { matching, read } = unreadOf(view, viewer, senderId)
  const walk = matching.walk(walkFrom(above))
  const end = walk.run(
    (message) => messages.push(message) < FLAGGED_IN_ONE_COMMIT,
    new WorkBudget(view.sql, rowsAtOnce),
  )
  if (end === 'spent') throw new BudgetSpentError()
  return { messages, read, reached: end === 'finished' ? undefined : walk.reached }
}

function walkFrom(above: number) {
  return { from: above, direction: 1, wanted: FLAGGED_IN_ONE_COMMIT } as const
}

/** `among`: the only messages that are looked at. */
function unreadOf(
  view: RealmView,
  viewer: Viewer,
  senderId: number,
  among?: readonly number[],
): { readonly matching: MatchingMessages; readonly read: ReadSet } {
  const terms: NarrowTerm[] = [
    { operator: 'sender', operand: senderId, negated: false },
    { operator: 'is', operand: 'unread', negated: false },
  ]
  const plan = compileNarrow(view, viewer, terms, among)
  return {
    matching: new MatchingMessages(view, viewer, plan, ownRecords(view, viewer)),
    read: plan.facts.readSet(),
  }
}
