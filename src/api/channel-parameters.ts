import * as v from 'valibot'
import { CHANNEL_GROUP_SETTINGS, type ChannelGroupSettingName } from '../rules/group-settings.ts'
import { CHANNEL_TOPICS_POLICIES } from '../rules/topic-rules.ts'
import { WORD_LENGTH } from './input-limits.ts'
import { groupSetting, integer, json, jsonBoolean, textOrJson, textUpTo, wordOf } from './parameter-types.ts'

/** A number of days; the operation defines what other numbers and words mean. */
export const messageRetentionDays = textOrJson(v.union([integer, textUpTo(WORD_LENGTH)]))

function forEachSetting<const Schema extends v.GenericSchema<unknown, unknown>>(schema: Schema) {
  return Object.fromEntries(CHANNEL_GROUP_SETTINGS.map(({ name }) => [name, schema])) as Record<
    ChannelGroupSettingName,
    Schema
  >
}

const groupSettingChange = v.object({ new: groupSetting, old: v.optional(v.nullable(groupSetting)) })

/** Changes of a channel's permissions. */
export const groupSettingChanges = forEachSetting(v.optional(json(groupSettingChange)))

/** Settings of a new channel. Source: docs/interface/subscriptions.md#subscribe. */
export const creationParameters = {
  invite_only: v.optional(jsonBoolean, 'false'),
  is_web_public: v.optional(jsonBoolean, 'false'),
  is_default_stream: v.optional(jsonBoolean, 'false'),
  default_push_notifications: v.optional(jsonBoolean),
  history_public_to_subscribers: v.optional(json(v.nullable(v.boolean()))),
  message_retention_days: v.optional(messageRetentionDays),
  ...forEachSetting(v.optional(json(groupSetting))),
  folder_id: v.optional(json(v.nullable(integer))),
  topics_policy: v.optional(wordOf(CHANNEL_TOPICS_POLICIES)),
}
