import type { WritableSql } from '../../../core/sql.ts'
import { findingsAt, findingsWithin, putFindings } from '../../../store/backups/finding-rows.ts'
import type { ReadingProgress } from '../../../store/backups/reading-rows.ts'
import type { StoredRow } from '../../../store/backups/table-rows.ts'
import { putFlagBits } from '../../../store/messages/flags/flag-rows.ts'
import { UNREAD_BIT } from '../../../store/messages/flags/message-bits.ts'
import { IDS_PER_POSTING, postedBelow, repostBlock } from '../../../store/messages/message-posting-rows.ts'
import { insertReaction } from '../../../store/reactions/reaction-rows.ts'
import { insertSubmessage } from '../../../store/submessages/submessage-rows.ts'
import { findUser } from '../../../store/users/user-rows.ts'
import { FILE, linkKind } from './give-back-files.ts'
import { GIVEN } from './give-back-messages.ts'
import type { ReadingWork } from './reading-work.ts'

interface Belongings {
  readonly table: string
  readonly keys: readonly string[]
  /** The column that says to what it belongs, and the kind of the findings that are meant. */
  readonly of: readonly [column: string, kind: string]
  write(sql: WritableSql, row: StoredRow): void
}

/** What belongs to messages, in the order in which it is written. */
const BELONGINGS: readonly Belongings[] = [
  {
    table: 'reaction',
    keys: ['message_id', 'reaction_type', 'emoji_code', 'user_id'],
    of: ['message_id', GIVEN],
    write: (sql, row) =>
      insertReaction(sql, {
        messageId: Number(row.message_id),
        userId: Number(row.user_id),
        reaction_type: String(row.reaction_type) as Parameters<typeof insertReaction>[1]['reaction_type'],
        emoji_code: String(row.emoji_code),
        emoji_name: String(row.emoji_name),
      }),
  },
  {
    table: 'submessage',
    keys: ['id'],
    of: ['message_id', GIVEN],
    write: (sql, row) =>
      insertSubmessage(sql, {
        messageId: Number(row.message_id),
        senderId: Number(row.sender_id),
        type: String(row.msg_type),
        content: String(row.content),
      }),
  },
  {
    table: 'message_flag',
    keys: ['user_id', 'message_id'],
    of: ['message_id', GIVEN],
    write: (sql, row) =>
      putFlagBits(sql, Number(row.user_id), Number(row.message_id), Number(row.bits) & ~UNREAD_BIT),
  },
  {
    table: 'attachment_message',
    keys: ['attachment_id', 'message_id'],
    of: ['message_id', GIVEN],
    write(sql, row) {
      putFindings(sql, linkKind(Number(row.attachment_id)), [{ key: Number(row.message_id), value: null }])
      putFindings(sql, FILE, [{ key: Number(row.attachment_id), value: null }])
    },
  },
  {
    table: 'attachment',
    keys: ['id'],
    of: ['id', FILE],
    write: (sql, row) => putFindings(sql, FILE, [{ key: Number(row.id), value: JSON.stringify(row) }]),
  },
]

export const GIVEN_BACK_TABLES = ['topic', 'message_index', ...BELONGINGS.map(({ table }) => table)]

/** Columns with the person whose it is: nothing of one who is gone, or whose personal data was deleted, is given back. */
const PERSON_COLUMNS = ['user_id', 'sender_id', 'owner_id']

/** Writes some of what belongs to the messages that were written. */
export async function writeBelongings(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'belongings' }>,
): Promise<void> {
  const { stage, table } = progress
  const belongings = BELONGINGS[table]
  if (!belongings) return work.commit(progress, () => ({ stage: 'files' }))
  const [column, kind] = belongings.of
  const read = await work.rowsAt(belongings.table, belongings.keys, progress)
  work.commit(progress, (tx) => {
    const { rows, next } = read(tx)
    const meant = findingsAt(
      tx.sql,
      kind,
      rows.map((row) => Number(row[column])),
    )
    for (const row of rows)
      if (meant.has(Number(row[column])) && isOfSomebody(tx.sql, row)) belongings.write(tx.sql, row)
    return next ? { stage, table, ...next } : { stage, table: table + 1, chunk: 0, line: 0 }
  })
}

function isOfSomebody(sql: WritableSql, row: StoredRow): boolean {
  return PERSON_COLUMNS.every(
    (column) => row[column] === undefined || findUser(sql, Number(row[column]))?.isDeleted === false,
  )
}

/** Posts the next block of ids that was full before messages came back into it (store/messages/message-posting-rows.ts). */
export async function postMessages(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'post' }>,
): Promise<void> {
  work.commit(progress, ({ sql }) => {
    const range = { above: progress.after, upTo: postedBelow(sql) - 1, limit: 1 }
    const [next] = findingsWithin(sql, GIVEN, range)
    if (!next) return { stage: 'tidy' }
    const block = Math.floor(next.key / IDS_PER_POSTING)
    repostBlock(sql, block * IDS_PER_POSTING, true)
    return { stage: 'post', after: (block + 1) * IDS_PER_POSTING - 1 }
  })
}
