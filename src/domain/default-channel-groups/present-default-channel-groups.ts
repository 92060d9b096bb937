import { NON_GUESTS, toUsers } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredDefaultStreamGroupsEvent } from '../../events/default-stream-groups.ts'
import { listDefaultGroups } from './default-channel-group-rows.ts'

/** All groups, as clients see them. Source: docs/interface/register.md#what-the-snapshot-has. */
export function presentDefaultGroups(sql: Sql) {
  return listDefaultGroups(sql).map(({ id, name, description, channelIds }) => ({
    id,
    name,
    description,
    streams: [...channelIds],
  }))
}

export function emitDefaultGroups(tx: RealmTransaction): void {
  const event: StoredDefaultStreamGroupsEvent = {
    type: 'default_stream_groups',
    default_stream_groups: presentDefaultGroups(tx.sql),
  }
  tx.emit(event, NON_GUESTS)
}

/** Guests have no such list: who becomes one, or is one no longer, is given the list that holds now. */
export function showDefaultGroups(tx: RealmTransaction, userId: number, isGuest: boolean): void {
  const groups = presentDefaultGroups(tx.sql)
  if (groups.length === 0) return
  const event: StoredDefaultStreamGroupsEvent = {
    type: 'default_stream_groups',
    default_stream_groups: isGuest ? [] : groups,
  }
  tx.emit(event, toUsers(userId))
}
