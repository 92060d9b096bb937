import { IncompatibleParametersError } from '../../../core/errors.ts'
import type { Sql } from '../../../core/sql.ts'
import { mayAnybodyOpenTopics, type TopicOpening } from '../../../rules/channel-rules.ts'
import type { ChannelPermissions } from '../../../rules/grants.ts'
import { type GroupSettingValue, requireValidGroupSetting } from '../../../rules/group-setting-values.ts'
import { CHANNEL_GROUP_SETTINGS } from '../../../rules/group-settings.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { groupFacts } from '../../user-groups/group-facts.ts'

/** Permission settings that a request names. */
export type GivenGroupSettings = { readonly [Name in keyof ChannelPermissions]?: GroupSettingValue }

/**
 * Returns the values in their normal form; refuses in the order of the table. Errors:
 * docs/interface/access.md#permission-values.
 */
export function requireValidChannelSettings(sql: Sql, given: GivenGroupSettings): GivenGroupSettings {
  const facts = groupFacts(sql)
  const valid: { -readonly [Name in keyof GivenGroupSettings]: GivenGroupSettings[Name] } = {}
  for (const setting of CHANNEL_GROUP_SETTINGS) {
    const value = given[setting.name]
    if (value !== undefined) valid[setting.name] = requireValidGroupSetting(setting, value, facts)
  }
  return valid
}

/**
 * Refuses to limit who begins topics where the past is hidden: a refusal would tell people of topics that they
 * cannot see.
 */
export function requireTopicsOpenToAll(
  channel: Pick<Channel, 'isPrivate' | 'historyPublicToSubscribers'> & TopicOpening,
): void {
  if (!channel.isPrivate || channel.historyPublicToSubscribers || mayAnybodyOpenTopics(channel)) return
  throw new IncompatibleParametersError(['history_public_to_subscribers', 'can_create_topic_group'])
}
