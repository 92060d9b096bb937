import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import { IdSet } from '../../core/id-set.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import { defineReader } from '../../core/reader.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { requireReadableMessage } from '../../model/messages/read/message-access.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { flagBitsAmongUsers } from '../../store/messages/flags/flag-rows.ts'
import { MESSAGE_BIT, UNREAD_BIT } from '../../store/messages/flags/message-bits.ts'
import { usersWhoseSetHas } from '../../store/messages/flags/read-rows.ts'
import { unreadNoticeReader } from '../../store/messages/flags/unread-message-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { possibleRecordHolders, recordHoldersAmong } from '../../store/messages/read/record-holder-rows.ts'
import { listMutedUsers, usersWhoHadMuted, usersWhoMuted } from '../../store/muted-users/muted-user-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { closedAccounts } from '../../store/users/account-set-rows.ts'
import { whoChose } from '../../store/users/settings/user-setting-rows.ts'

/**
 * Lists the users who have read a message and share that: without its sender, users who have muted the caller, and users whom the caller
 * has muted. Source: docs/interface/messages.md#read-receipts.
 */
export const getReadReceiptsEndpoint = defineEndpoint({
  operation: 'get-read-receipts',
  route: 'GET /messages/:message_id/read_receipts',
  access: 'user',
  params: { message_id: pathInteger },
  returns: v.object({ user_ids: v.array(v.number()) }),
  query(tx, caller, { message_id }) {
    const message = requireReadableMessage(tx, caller, message_id)
    if (!realmProperty(tx.sql, 'enable_read_receipts')) {
      throw new BadRequestError('Read receipts are disabled in this organization.')
    }
    const kept = IdSet.of([
      message.senderId,
      ...usersWhoMuted(tx.sql, caller.user.id),
      ...listMutedUsers(tx.sql, caller.user.id).map(({ id }) => id),
    ])
    const readers = IdSet.of(tx.use(readersOf, message)).andNot(closedAccounts(tx.sql)).andNot(kept)
    return { user_ids: readers.andNot(whoChose(tx.sql, readers, 'send_read_receipts', 0)).toArray() }
  },
})

/** Users checked at a time: whether they have the message, and have read it; some 3 µs each. */
const USERS_AT_A_TIME = 200

/** The readers of a message. Someone reads all the time, so a result from some turns ago is good enough. */
const readersOf = defineReader({
  name: 'readers of a message',
  allowStale: true,
  key: ({ id, recipientId, bits }: IndexedMessage) => `${id} ${recipientId} ${bits}`,
  *read({ sql }, message) {
    const readersAmong = readerOf(sql, message)
    const readers: number[] = []
    for (const users of inParts(possibleReaders(sql, message), USERS_AT_A_TIME)) {
      readers.push(...readersAmong(users))
      yield
    }
    return readers
  },
})

/** Returns the users who may have the message: nobody else can have read it. */
function possibleReaders(sql: Sql, message: IndexedMessage): readonly number[] {
  const { kind, id } = recipientOf(message.recipientId)
  if (kind === 'channel') return possibleRecordHolders(sql, id, message.id)
  return [...(conversationById(sql, id)?.members ?? [])]
}

/**
 * Returns a function that finds those of the given users who have read a message. For whom it arrived read is found once: that never
 * changes.
 */
function readerOf(sql: Sql, message: IndexedMessage): (userIds: readonly number[]) => number[] {
  const { kind, id } = recipientOf(message.recipientId)
  const arrived = arrivedReadFor(sql, message)
  return (userIds) => {
    const holders =
      kind === 'channel' ? recordHoldersAmong(sql, id, message, userIds).map(({ userId }) => userId) : userIds
    const sparse = arrived ? flagBitsAmongUsers(sql, message.id, holders) : undefined
    const isDerived = (userId: number) =>
      (arrived?.(userId) ?? false) && ((sparse?.get(userId) ?? 0) & UNREAD_BIT) === 0
    const others = holders.filter((userId) => !isDerived(userId))
    const read = new Set(usersWhoseSetHas(sql, message.id, others))
    return holders.filter((userId) => isDerived(userId) || read.has(userId))
  }
}

/** Returns a function that says for whom a message arrived read; undefined if for nobody. */
function arrivedReadFor(sql: Sql, { id, senderId, bits }: IndexedMessage) {
  if ((bits & MESSAGE_BIT.arrivesRead) !== 0) {
    const isUnread = unreadNoticeReader(sql, id)
    return (userId: number) => !isUnread(userId)
  }
  if ((bits & MESSAGE_BIT.senderWasMuted) === 0) return undefined
  const muters = usersWhoHadMuted(sql, senderId, id)
  return (userId: number) => muters.has(userId)
}
