import { NON_GUESTS } from '../../core/audience.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { StoredDefaultStreamGroupsEvent } from '../../events/default-stream-groups.ts'
import { listDefaultGroups } from './default-channel-group-rows.ts'

/** All groups, as clients see them. Source: core-endpoints 1. */
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
