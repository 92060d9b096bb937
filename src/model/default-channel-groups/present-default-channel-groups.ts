import type { Sql } from '../../core/sql.ts'
import { listDefaultGroups } from '../../store/default-channel-groups/default-channel-group-rows.ts'

/** Returns all groups in the form for clients. Source: docs/interface/register.md#what-the-snapshot-has. */
export function presentDefaultGroups(sql: Sql) {
  return listDefaultGroups(sql).map(({ id, name, description, channelIds }) => ({
    id,
    name,
    description,
    streams: [...channelIds],
  }))
}
