import { CHANGES_OF_COMMIT, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { flagBitsOf, putFlagBitsOfMessages } from '../../store/messages/flags/flag-rows.ts'
import { MESSAGE_BIT, UNREAD_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { scopeAtHand } from '../messages/flags/unread-messages.ts'
import { type ImportWork, targetOf } from './import-work.ts'

/** Ranges of one record, and messages that are looked at for it, from the newest on. */
const RANGES = 1_000
const LOOKED_AT = 8 * PAGE_OF_ROWS
/** Limit of a user's unread messages; older ones arrive read. */
const UNREAD_OF_PERSON = 4 * CHANGES_OF_COMMIT

/**
 * Marks imported messages as unread that a user has not read at the source, in channels and conversations of which
 * they are a member.
 */
export function writeReadState(
  tx: RealmTransaction,
  work: ImportWork,
  { user, unread }: RecordOf<'read_state'>,
): void {
  const { tally } = work
  const userId = targetOf(tx, work, 'user', user)
  if (userId === undefined) {
    tally.problem('read state of an unknown person', user)
    return
  }
  const ranges = unread.slice(-RANGES).flatMap(([first, last]) => {
    const ends = [targetOf(tx, work, 'message', first), targetOf(tx, work, 'message', last)] as const
    if (ends[0] !== undefined && ends[1] !== undefined) return [[ends[0], ends[1]] as const]
    tally.count('passedOver', 'read_state.unread[]')
    return []
  })
  const ids = unreadIn(tx, userId, ranges)
  if (unread.length > RANGES || ids.length > UNREAD_OF_PERSON)
    tally.problem('more unread messages than are kept', user)
  const kept = ids.slice(0, UNREAD_OF_PERSON)
  const before = flagBitsOf(tx.sql, userId, kept)
  putFlagBitsOfMessages(tx.sql, userId, new Map(kept.map((id) => [id, (before.get(id) ?? 0) | UNREAD_BIT])))
  tally.count('written', 'unread messages', kept.length)
}

/** Returns the imported messages of the ranges that a user has received, newest first, and one more than are kept. */
function unreadIn(
  { sql }: RealmTransaction,
  userId: number,
  ranges: readonly (readonly [first: number, last: number])[],
): number[] {
  const scope = scopeAtHand(sql, findUser(sql, userId)!)
  const found: number[] = []
  let left = LOOKED_AT
  for (const [first, last] of ranges.toSorted(([, one], [, other]) => other - one)) {
    for (let end = last; end >= first && left > 0 && found.length <= UNREAD_OF_PERSON; ) {
      const start = Math.max(first, end - Math.min(PAGE_OF_ROWS, left) + 1)
      const page = Array.from({ length: end - start + 1 }, (_, at) => start + at)
      const came = findMessages(sql, page).filter(
        (message) => (message.bits & MESSAGE_BIT.isImported) !== 0 && scope.isAtHand(message),
      )
      found.push(...came.map(({ id }) => id).reverse())
      left -= page.length
      end = start - 1
    }
  }
  return found
}
