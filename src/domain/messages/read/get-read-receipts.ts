import type { ReadCommand, Walks } from '../../../core/command.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { recipientOf } from '../../../core/recipient-id.ts'
import type { Sql } from '../../../core/sql.ts'
import type { Caller } from '../../caller.ts'
import { listMutedUsers, usersWhoHadMuted, usersWhoMuted } from '../../muted-users/muted-user-rows.ts'
import { realmProperty } from '../../realm/realm-setting-rows.ts'
import { activeUsersWithSettingOn } from '../../users/user-id-rows.ts'
import { conversationById } from '../conversation-rows.ts'
import { flagBitsAmongUsers } from '../flags/flag-rows.ts'
import { MESSAGE_BIT, UNREAD_BIT } from '../flags/message-bits.ts'
import { usersWhoseSetHas } from '../flags/read-rows.ts'
import { unreadNoticeReader } from '../flags/unread-notice-rows.ts'
import type { IndexedMessage } from '../message-rows.ts'
import { findReadableMessage, requireReadableMessage } from './message-access.ts'
import { possibleRecordHolders, recordHoldersAmong } from './record-holder-rows.ts'

export interface ReadReceipts {
  /** Ascending. */
  readonly user_ids: readonly number[]
}

/** Users of whom one turn finds out whether they have a message, and have read it: some 3 µs each. */
const READERS_OF_ONE_TURN = 2_500

/**
 * Lists the users who have read a message, and let others know: without its sender, and without users who
 * have muted the caller, or whom the caller has muted. Source: docs/interface/messages.md#read-receipts.
 */
export const getReadReceipts: ReadCommand<
  Caller,
  { readonly message_id: number },
  FoundReaders | undefined,
  ReadReceipts
> = {
  reads: true,
  async load({ walks }, view, caller, { message_id }) {
    const message = findReadableMessage(view, caller, message_id)
    return message && findReaders(walks, view.sql, message)
  },

  apply(tx, caller, { message_id }, found) {
    const message = requireReadableMessage(tx, caller, message_id)
    if (!realmProperty(tx.sql, 'enable_read_receipts')) {
      throw new BadRequestError('Read receipts are disabled in this organization.')
    }
    const kept = new Set([
      message.senderId,
      ...usersWhoMuted(tx.sql, caller.user.id),
      ...listMutedUsers(tx.sql, caller.user.id).map(({ id }) => id),
    ])
    const { readers, possible } = foundNow(tx.sql, message, found)
    const all = readers ?? readerOf(tx.sql, message)(possible)
    const shown = activeUsersWithSettingOn(tx.sql, all, 'send_read_receipts')
    return { user_ids: shown.filter((id) => !kept.has(id)) }
  },
}

interface FoundReaders {
  /** Where the message was: whoever has it may be others since. */
  readonly recipientId: number
  readonly possible: readonly number[]
  /** Those of them who have read it; absent: they are few, and the last turn finds them. */
  readonly readers?: readonly number[]
}

/** Finds who may have a message, and in turns who of thousands has read it. */
async function findReaders(walks: Walks, sql: Sql, message: IndexedMessage): Promise<FoundReaders> {
  const found = { recipientId: message.recipientId, possible: possibleReaders(sql, message) }
  if (found.possible.length <= READERS_OF_ONE_TURN) return found
  const readersAmong = readerOf(sql, message)
  const readers: number[] = []
  for (let from = 0; from < found.possible.length; from += READERS_OF_ONE_TURN) {
    await walks.turn()
    readers.push(...readersAmong(found.possible.slice(from, from + READERS_OF_ONE_TURN)))
  }
  return { ...found, readers }
}

/** Returns what was found, or who may have the message now that it is elsewhere. */
function foundNow(sql: Sql, message: IndexedMessage, found: FoundReaders | undefined): FoundReaders {
  if (found?.recipientId === message.recipientId) return found
  return { recipientId: message.recipientId, possible: possibleReaders(sql, message) }
}

/** Returns the users who may have the message: nobody else has read it. */
function possibleReaders(sql: Sql, message: IndexedMessage): readonly number[] {
  const { kind, id } = recipientOf(message.recipientId)
  if (kind === 'channel') return possibleRecordHolders(sql, id, message.id)
  return [...(conversationById(sql, id)?.members ?? [])]
}

/**
 * Returns a function that finds those of some users who have read a message, without its sender, whose own reading does not count here.
 * For whom the message arrived read is found once: it never changes.
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

/** Returns a function that says for whom a message arrived read; undefined where it did for nobody. */
function arrivedReadFor(sql: Sql, { id, senderId, bits }: IndexedMessage) {
  if ((bits & MESSAGE_BIT.arrivesRead) !== 0) {
    const isUnread = unreadNoticeReader(sql, id)
    return (userId: number) => !isUnread(userId)
  }
  if ((bits & MESSAGE_BIT.senderWasMuted) === 0) return undefined
  const muters = usersWhoHadMuted(sql, senderId, id)
  return (userId: number) => muters.has(userId)
}
