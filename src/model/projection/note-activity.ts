import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { BETWEEN_COMMITS_SECONDS, dayOf } from '../../core/time.ts'
import { countMessages } from '../../store/messages/message-count.ts'
import { newestSentAt } from '../../store/messages/message-rows.ts'
import { deleteMeta, readMeta, readMetaJson, writeMeta } from '../../store/meta-rows.ts'
import { PRESENCE } from '../presence/presence-memory.ts'

/** Messages that one commit counts, some milliseconds. */
const COUNTED_AT_ONCE = 20_000

/** How far it is, in one night. */
interface Noting {
  /** UNIX seconds. */
  readonly beganAt: number
  /** The last person who was noted; null: all are. */
  readonly afterUser: number | null
}

/**
 * Tells D1, once a day, on which day each person was last active who was active since the last time, and how many messages there are.
 * Returns when to continue.
 */
export function noteActivity(tx: RealmTransaction): number | undefined {
  const { sql } = tx
  const noting = readMetaJson<Noting>(sql, 'noting_activity') ?? { beganAt: Math.floor(tx.now), afterUser: 0 }
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
function noteNext(tx: RealmTransaction, { beganAt, afterUser }: Noting): Noting | undefined {
  if (afterUser !== null) {
    const people = activeSince(tx, readMeta<number>(tx.sql, 'activity_noted_at') ?? 0, afterUser)
    for (const { userId, activeAt } of people) {
      tx.writeToD1({ statement: 'note-activity', row: [userId, dayOf(activeAt!)] })
    }
    if (people.length === ENTRIES_AT_ONCE) return { beganAt, afterUser: people.at(-1)!.userId }
  }
  const texts = countMessages(tx.sql, COUNTED_AT_ONCE)
  if (texts === undefined) return { beganAt, afterUser: null }
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
