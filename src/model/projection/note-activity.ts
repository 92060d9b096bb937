import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { BETWEEN_COMMITS_SECONDS, dayOf } from '../../core/time.ts'
import { countNextMessages, newestSentAt } from '../../store/messages/message-rows.ts'
import { deleteMeta, readMeta, readMetaJson, writeMeta } from '../../store/meta-rows.ts'
import { PRESENCE } from '../presence/presence-memory.ts'

/** Messages that one commit counts, some milliseconds. */
const COUNTED_AT_ONCE = 20_000

/** How far it is, in one night. */
interface Noting {
  /** UNIX seconds. */
  readonly beganAt: number
  readonly afterUser: number
  readonly afterMessage: number
  readonly texts: number
}

/**
 * Tells D1, once a day, on which day each person was last active who was active since the last time, and how many messages there are.
 * Returns when to continue.
 */
export function noteActivity(tx: RealmTransaction): number | undefined {
  const { sql } = tx
  const noting = readMetaJson<Noting>(sql, 'noting_activity') ?? {
    beganAt: Math.floor(tx.now),
    afterUser: 0,
    afterMessage: 0,
    texts: 0,
  }
  const next = noteNext(tx, noting)
  if (next) {
    writeMeta(sql, 'noting_activity', JSON.stringify(next))
    return tx.now + BETWEEN_COMMITS_SECONDS
  }
  deleteMeta(sql, 'noting_activity')
  writeMeta(sql, 'activity_noted_at', noting.beganAt)
  return undefined
}

/** Returns how far it is then; undefined at the end. */
function noteNext(tx: RealmTransaction, noting: Noting): Noting | undefined {
  const people = activeSince(tx, readMeta<number>(tx.sql, 'activity_noted_at') ?? 0, noting.afterUser)
  for (const { userId, activeAt } of people) {
    tx.writeToD1({ statement: 'note-activity', row: [userId, dayOf(activeAt!)] })
  }
  if (people.length === ENTRIES_AT_ONCE) return { ...noting, afterUser: people.at(-1)!.userId }
  const { count, last } = countNextMessages(tx.sql, noting.afterMessage, COUNTED_AT_ONCE)
  const texts = noting.texts + count
  const afterUser = Number.MAX_SAFE_INTEGER
  if (count === COUNTED_AT_ONCE) return { ...noting, afterUser, afterMessage: last!, texts }
  const newest = newestSentAt(tx.sql)
  const row = [texts, newest === undefined ? null : dayOf(newest)] as const
  // Without anything new nothing is written, so that an idle organization sleeps.
  const noted = JSON.stringify(row)
  if (noted === readMeta<string>(tx.sql, 'texts_noted')) return undefined
  writeMeta(tx.sql, 'texts_noted', noted)
  tx.writeToD1({ statement: 'note-texts', row })
  return undefined
}

/** Returns the next people by id who were active after a time. */
function activeSince(tx: RealmTransaction, time: number, above: number) {
  return tx
    .recall(PRESENCE)
    .all()
    .filter(({ userId, activeAt }) => userId > above && activeAt !== null && activeAt > time)
    .sort((a, b) => a.userId - b.userId)
    .slice(0, ENTRIES_AT_ONCE)
}
