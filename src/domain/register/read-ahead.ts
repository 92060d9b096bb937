import { nextTurn } from '../../core/next-turn.ts'
import type { Sql } from '../../core/sql.ts'
import { CHANNELS_OF_ONE_TURN } from '../../core/turn-budgets.ts'
import { listPeriods } from '../subscriptions/period-rows.ts'
import { listSubscriptionsOfUser } from '../subscriptions/subscription-rows.ts'
import { listUserTopics, policiesByTopic } from '../user-topics/user-topic-rows.ts'
import type { User } from '../users/user-rows.ts'
import { blockVersions } from './block-rows.ts'
import { isFetched, type SnapshotOptions } from './snapshot.ts'
import { UNREAD_FLAGS } from './unread-messages.ts'

/** Fetch types whose parts list all topics with a setting of the caller's. */
const LIST_TOPIC_SETTINGS = ['user_topic', 'muted_topics']

/** Rows of a read from which on what follows has a turn of its own: some 1 ms. */
const WORTH_A_TURN = 1_000

/** Reads the settings of topics, as a list and by topic, each in a turn of its own where they are thousands. They stay kept until one changes. */
export async function readTopicSettingsAhead(
  sql: Sql,
  { id }: Pick<User, 'id'>,
  options: Pick<SnapshotOptions, 'types'>,
): Promise<void> {
  const reads = [
    { types: LIST_TOPIC_SETTINGS, read: () => listUserTopics(sql, id) },
    { types: [UNREAD_FLAGS], read: () => policiesByTopic(sql, id) },
  ]
  for (const { types, read } of reads) {
    if (!types.some((type) => isFetched(options, type))) continue
    const before = sql.counts.read
    read()
    if (sql.counts.read - before > WORTH_A_TURN) await nextTurn()
  }
}

/**
 * Reads what a snapshot needs of somebody in thousands of channels, each in a turn of its own. It stays kept until it changes: then the
 * snapshot itself reads it.
 */
export async function readChannelsAhead(sql: Sql, { id }: Pick<User, 'id'>): Promise<void> {
  if (listSubscriptionsOfUser(sql, id).length <= CHANNELS_OF_ONE_TURN.channels) return
  const reads = [
    () => listPeriods(sql, id),
    () => blockVersions(sql, 'channel'),
    () => blockVersions(sql, 'subscribers'),
  ]
  let rows = 0
  for (const read of reads) {
    if (sql.counts.read > rows) await nextTurn()
    rows = sql.counts.read
    read()
  }
  if (sql.counts.read > rows) await nextTurn()
}
