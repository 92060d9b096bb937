import type { WritableSql } from '../../../core/sql.ts'
import type { User } from '../../users/user-rows.ts'
import { type IndexedMessage, newestMessageId } from '../message-rows.ts'
import { recentMessages } from '../recent-message-rows.ts'
import { isRead } from './message-flags.ts'
import { MessageIdSet } from './message-id-set.ts'
import { ReadSet } from './read-rows.ts'
import { LOOKED_UP_AT_ONCE, scopeAtHand, unreadAbove } from './unread-messages.ts'

/** Number of newer messages from which on raising a floor is worth the rows that it writes. */
const WORTH_RAISING = 4_096

/** Whether enough messages have come since the floor was last raised. */
export function isWorthSettling(newest: number, user: Pick<User, 'readFloor'>): boolean {
  return newest - user.readFloor >= WORTH_RAISING
}

/** Number of ids that are read together: somebody may come back to a million messages. */
const SETTLED_AT_ONCE = 16 * 4_096

/**
 * Raises the floor to the newest message, with unread ones as exceptions, once for thousands of messages:
 * then neither the messages that a user has read nor those of others are read again to find the unread ones.
 * Returns the changed user.
 */
export function settleReadSet(sql: WritableSql, user: User): User {
  const newest = newestMessageId(sql)
  if (!isWorthSettling(newest, user)) return user
  const scope = scopeAtHand(sql, user)
  const read = new ReadSet(sql, user)
  const isUnread = (message: IndexedMessage) => !isRead(message, user, read)
  const unread = new MessageIdSet()
  const below = read.unreadBelowFloor()
  for (let at = 0; at < below.length; at += LOOKED_UP_AT_ONCE) {
    const part = recentMessages(sql)
      .find(sql, below.slice(at, at + LOOKED_UP_AT_ONCE), newest)
      .filter(isUnread)
    for (const { id } of part) unread.add(id)
  }
  for (let above = read.floor; above < newest; above += SETTLED_AT_ONCE) {
    const upTo = Math.min(above + SETTLED_AT_ONCE, newest)
    const part = unreadAbove(sql, user, read, scope, { above, upTo }, newest)
    for (const { id } of part) unread.add(id)
  }
  read.settle(sql, newest, unread)
  read.save(sql)
  return { ...user, readFloor: newest }
}
