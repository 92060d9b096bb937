import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { Sql } from '../../core/sql.ts'
import type { CreationFacts } from '../../rules/channel-setting-rules.ts'
import { hasWebPublicChannel } from '../../store/channels/public-channel-rows.ts'
import { realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'

/** Returns facts about the organization for the rules of making a channel. */
export function creationFacts(sql: Sql, source: RequestSource): CreationFacts {
  return { ...realmPermissions(sql), isWebPublicEnabled: areWebPublicChannelsEnabled(sql, source) }
}

/**
 * Whether the deployment and the organization both allow channels that can be read without an account
 * (docs/interface/visitors.md#when).
 */
function areWebPublicChannelsEnabled(sql: Sql, source: RequestSource): boolean {
  return deploymentOf(source).allowsWebPublic && realmProperty(sql, 'enable_spectator_access')
}

/** Whether something of the organization can be read without an account (docs/interface/visitors.md#when). */
export function isOpenToTheWeb(sql: Sql, source: RequestSource): boolean {
  return areWebPublicChannelsEnabled(sql, source) && hasWebPublicChannel(sql)
}
