import type { RowLine } from '../../../model/backups/backup-form.ts'
import {
  type ComparedThing,
  type Difference,
  type DifferenceDetails,
  nameTopicOfDifferences,
  putDifferences,
  topicsOfDifferences,
} from '../../../store/backups/difference-rows.ts'
import { findingsWithin } from '../../../store/backups/finding-rows.ts'
import type { ReadingProgress } from '../../../store/backups/reading-rows.ts'
import { rowsWithin, type StoredRow } from '../../../store/backups/table-rows.ts'
import { topicById } from '../../../store/messages/topic-rows.ts'
import { changedKind, type ReadingWork } from './reading-work.ts'

/** Rows of the backup, and of today, that one step compares: some 20 ms. */
const ROWS_AT_ONCE = 2_000

interface ComparedTable {
  readonly of: ComparedThing
  readonly table: string
  /** Columns that are compared, with the names in the API of what they say. */
  readonly columns: Readonly<Record<string, string>>
  /** Columns of rows that do not count, where these have 1. */
  readonly except?: string
  /** Says what is needed of a row that is not there today. */
  details(row: StoredRow): DifferenceDetails
}

const COMPARED: readonly ComparedTable[] = [
  {
    of: 'people',
    table: 'user',
    columns: {
      full_name: 'full_name',
      role: 'role',
      is_active: 'is_active',
      delivery_email: 'delivery_email',
    },
    except: 'is_system_bot',
    details: ({ full_name }) => ({ name: String(full_name) }),
  },
  {
    of: 'channels',
    table: 'channel',
    columns: {
      name: 'name',
      description: 'description',
      is_private: 'invite_only',
      is_web_public: 'is_web_public',
      history_public: 'history_public_to_subscribers',
      is_archived: 'is_archived',
      folder_id: 'folder_id',
      retention_days: 'message_retention_days',
    },
    details: ({ name, is_private }) => ({ name: String(name), isPrivate: is_private === 1 }),
  },
  {
    of: 'messages',
    table: 'message_index',
    columns: { version: 'content', recipient_id: 'stream_id', topic_id: 'topic' },
    details: (row) => ({
      message: {
        recipientId: Number(row.recipient_id),
        topicId: Number(row.topic_id),
        moveId: row.move_id === null ? null : Number(row.move_id),
        senderId: Number(row.sender_id),
        sentAt: Number(row.sent_at),
      },
    }),
  },
]

export const COMPARED_TABLES = [...COMPARED.map(({ table }) => table), 'topic']
export const FIRST_COMPARISON: ReadingProgress = { stage: 'compare', table: 0, chunk: 0, after: 0 }

/** Compares some rows of a table with today's: both are in the order of their ids. */
export async function compareRows(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'compare' }>,
): Promise<void> {
  const { after, chunk } = progress
  const compared = COMPARED[progress.table]
  if (!compared) return work.commit(progress, () => ({ stage: 'name', chunk: 0, line: 0 }))
  const { table, columns, except } = compared
  const names = work.chunksOf(table)
  const name = names[chunk]
  const lines = name === undefined ? [] : await work.lines<RowLine>(name)
  const all = lines.map((values) => work.rowOf(table, values)).filter(({ id }) => Number(id) > after)
  work.commit(progress, ({ sql }, count) => {
    // Each of the three lists may end the range that this step compares.
    let upTo =
      all.length > ROWS_AT_ONCE ? idOf(all[ROWS_AT_ONCE - 1]!) : endOf(all, chunk < names.length - 1, after)
    const listed = [...Object.keys(columns), ...(except ? [except] : [])]
    const today = rowsWithin(sql, table, listed, { above: after, upTo, limit: ROWS_AT_ONCE })
    if (today.length === ROWS_AT_ONCE) upTo = today.at(-1)!.id
    const changed = findingsWithin(sql, changedKind(table), { above: after, upTo, limit: ROWS_AT_ONCE })
    if (changed.length === ROWS_AT_ONCE) upTo = changed.at(-1)!.key
    const inRange = ({ id }: StoredRow) => Number(id) <= upTo
    const before = new Map(all.filter(inRange).map((row) => [idOf(row), row]))
    for (const { key, value } of changed) {
      const row = work.changedRow(table, value)
      if (row) before.set(key, row)
      else before.delete(key)
    }
    const found = differencesOf(compared, before, new Map(today.filter(inRange).map((row) => [row.id, row])))
    putDifferences(sql, work.reading.id, found)
    for (const [kind, some] of Map.groupBy(found, ({ difference }) => difference))
      count({ [`${compared.of}.${kind}`]: some.length })
    if (upTo === Number.MAX_SAFE_INTEGER)
      return { stage: 'compare', table: progress.table + 1, chunk: 0, after: 0 }
    const isOver = all.every(inRange)
    return { ...progress, chunk: isOver && chunk < names.length - 1 ? chunk + 1 : chunk, after: upTo }
  })
}

/** Returns the last id of a chunk; all that follow are compared with its last rows if it is the last one. */
function endOf(rows: readonly StoredRow[], hasMore: boolean, after: number): number {
  if (!hasMore) return Number.MAX_SAFE_INTEGER
  return rows.length > 0 ? idOf(rows.at(-1)!) : after
}

function idOf({ id }: StoredRow): number {
  return Number(id)
}

function differencesOf(
  { of, columns, except, details }: ComparedTable,
  before: ReadonlyMap<number, StoredRow>,
  today: ReadonlyMap<number, StoredRow>,
): readonly Difference[] {
  const counts = (row: StoredRow) => except === undefined || row[except] !== 1
  const found: Difference[] = []
  for (const [id, row] of before) {
    if (!counts(row)) continue
    const now = today.get(id)
    if (!now) found.push({ of, difference: 'only_in_backup', id, details: details(row) })
    else {
      const changed = Object.keys(columns).filter((column) => row[column] !== now[column])
      if (changed.length > 0)
        found.push({
          of,
          difference: 'changed',
          id,
          details: { changed: changed.map((name) => columns[name]!) },
        })
    }
  }
  for (const [id, row] of today)
    if (!before.has(id) && counts(row)) found.push({ of, difference: 'only_today', id, details: {} })
  return found
}

/** Notes the names of topics of listed messages that are gone as well. */
export async function nameTopics(
  work: ReadingWork,
  progress: Extract<ReadingProgress, { stage: 'name' }>,
): Promise<void> {
  const next = await work.rowsAt('topic', ['id'], progress)
  work.commit(progress, (tx) => {
    const { rows, next: position } = next(tx)
    const wanted = topicsOfDifferences(tx.sql, work.reading.id)
    for (const row of rows)
      if (wanted.has(idOf(row)) && !topicById(tx.sql, idOf(row)))
        nameTopicOfDifferences(tx.sql, work.reading.id, { id: idOf(row), name: String(row.name) })
    return position && wanted.size > 0 ? { stage: 'name', ...position } : { stage: 'tidy' }
  })
}
