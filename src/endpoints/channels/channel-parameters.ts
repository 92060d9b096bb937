import * as v from 'valibot'
import { CHANNEL_GROUP_SETTINGS, type ChannelGroupSettingName } from '../../permissions/group-settings.ts'
import { CHANNEL_TOPICS_POLICIES } from '../../permissions/topic-rules.ts'
import { groupSetting, integer, json, jsonBoolean, wordOrJson } from '../parameter-types.ts'

/** A number of days; what other numbers and words mean is said where it is used. */
export const messageRetentionDays = wordOrJson(['realm_default', 'unlimited'], v.union([integer, v.string()]))

const creationGroupSettings = Object.fromEntries(
  CHANNEL_GROUP_SETTINGS.map(({ name }) => [name, v.optional(json(groupSetting))]),
) as Record<
  ChannelGroupSettingName,
  v.OptionalSchema<ReturnType<typeof json<typeof groupSetting>>, undefined>
>

/** How a new channel is wished to be. Source: SPEC 4.3; behaviour 4.3. */
export const creationParameters = {
  invite_only: v.optional(jsonBoolean, 'false'),
  is_web_public: v.optional(jsonBoolean, 'false'),
  is_default_stream: v.optional(jsonBoolean, 'false'),
  history_public_to_subscribers: v.optional(json(v.nullable(v.boolean()))),
  message_retention_days: v.optional(messageRetentionDays),
  ...creationGroupSettings,
  folder_id: v.optional(json(v.nullable(integer))),
  topics_policy: v.optional(v.picklist(CHANNEL_TOPICS_POLICIES)),
}
