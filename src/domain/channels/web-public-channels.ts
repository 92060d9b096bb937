import type { Sql } from '../../core/sql.ts'
import type { CreationFacts } from '../../permissions/channel-setting-rules.ts'
import { realmPermissions, realmProperty } from '../realm/realm-setting-rows.ts'

/** The server's switch WEB_PUBLIC_STREAMS_ENABLED, off as by default (behaviour 0.11). */
const SERVER_ALLOWS_WEB_PUBLIC_CHANNELS: boolean = false

/** What the rules of making a channel ask of the organization. */
export function creationFacts(sql: Sql): CreationFacts {
  return { ...realmPermissions(sql), isWebPublicEnabled: areWebPublicChannelsEnabled(sql) }
}

export function areWebPublicChannelsEnabled(sql: Sql): boolean {
  return SERVER_ALLOWS_WEB_PUBLIC_CHANNELS && realmProperty(sql, 'enable_spectator_access')
}
