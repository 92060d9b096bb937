import * as v from 'valibot'
import { CHANNEL_PROPERTIES, type ChannelProperties, forEachProperty } from '../core/channel-properties.ts'
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../model/messages/text/compose.ts'
import type { RawNarrowTerm } from '../model/narrows/narrow-terms.ts'
import {
  CHANNEL_GROUP_SETTINGS,
  forEachPermission,
  REALM_GROUP_SETTINGS,
  USER_GROUP_SETTINGS,
} from '../rules/group-settings.ts'
import { USER_SETTINGS, type UserSettingName } from '../store/users/settings/user-settings.ts'
import type { ParameterSchemas } from './define-endpoint.ts'
import {
  MAX_HANDMADE_LIST_LENGTH,
  MAX_NARROW_LENGTH,
  NAME_LENGTH,
  VALUE_LENGTH,
  WEB_ADDRESS_LENGTH,
  WORD_LENGTH,
} from './input-limits.ts'
import {
  bareOrQuoted,
  described,
  groupSetting,
  integer,
  json,
  jsonBoolean,
  jsonInteger,
  listUpTo,
  textCutTo,
  textOrJson,
  textUpTo,
  valueUpTo,
  word,
  wordOf,
} from './parameter-types.ts'

/** A number of days; the operation defines other numbers and words. */
export const messageRetentionDays = textOrJson(v.union([integer, textUpTo(WORD_LENGTH)]))

const permission = v.optional(json(groupSetting))
const permissionChange = v.optional(
  json(v.object({ new: groupSetting, old: v.optional(v.nullable(groupSetting)) })),
)

export const userGroupPermissions = forEachPermission(USER_GROUP_SETTINGS, permission)

/** Changes of a user group's permissions. */
export const userGroupPermissionChanges = forEachPermission(USER_GROUP_SETTINGS, permissionChange)

/** Changes of a channel's permissions. */
export const channelPermissionChanges = forEachPermission(CHANNEL_GROUP_SETTINGS, permissionChange)

/** Changes of the organization's permissions. */
export const realmPermissionChanges = forEachPermission(REALM_GROUP_SETTINGS, permissionChange)

/** Plain settings of a channel, of a new one or in a change. */
export const channelProperties = forEachProperty((name) => {
  const { schema } = CHANNEL_PROPERTIES[name]
  return v.optional(schema.type === 'boolean' ? jsonBoolean : wordOf(schema.options))
}) as {
  readonly [Name in keyof ChannelProperties]: v.GenericSchema<unknown, ChannelProperties[Name] | undefined>
}

/** Settings of a new channel. Source: docs/interface/subscriptions.md#subscribe. */
export const creationParameters = {
  invite_only: v.optional(jsonBoolean, 'false'),
  is_web_public: v.optional(jsonBoolean, 'false'),
  is_default_stream: v.optional(jsonBoolean, 'false'),
  history_public_to_subscribers: v.optional(json(v.nullable(v.boolean()))),
  message_retention_days: v.optional(messageRetentionDays),
  ...forEachPermission(CHANNEL_GROUP_SETTINGS, permission),
  folder_id: v.optional(json(v.nullable(integer))),
  ...channelProperties,
}

type SettingSchemas<Name extends UserSettingName> = Record<Name, v.GenericSchema<unknown, unknown>>

/** Returns a parameter for each setting, in the order of their table. It checks the type; the command checks the value. */
export function settingParameters<Name extends UserSettingName>(
  names: readonly Name[],
): SettingSchemas<Name> & ParameterSchemas {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as SettingSchemas<Name>
}

function schemaOf(name: UserSettingName): v.GenericSchema<unknown, unknown> {
  switch (USER_SETTINGS[name].type) {
    case 'boolean':
      return v.optional(jsonBoolean)
    case 'integer':
      return v.optional(jsonInteger)
    case 'string':
      return v.optional(bareOrQuoted(textUpTo(NAME_LENGTH)))
  }
}

/** Values for profile fields: text, or ids of users; null removes a value. */
export const profileData = json(
  listUpTo(
    MAX_HANDMADE_LIST_LENGTH,
    v.object({
      id: integer,
      value: v.nullable(v.union([textUpTo(WEB_ADDRESS_LENGTH), listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
    }),
  ),
)

/** A message's source, without trailing white space and leading empty lines. */
export const messageContent = textCutTo(MAX_MESSAGE_LENGTH, (content) =>
  content.trimEnd().replace(/^\n+/u, ''),
)

/** The topic of a new message. */
export const sentTopic = textCutTo(MAX_TOPIC_LENGTH, (topic) => topic.trim())

/** The position of a page of messages. Source: docs/interface/reading.md#anchors. */
export const anchor = described(word, 'A message id, or `newest`, `oldest`, `first_unread` or `date`.')

/** For the anchor `date`. */
export const anchorDate = described(word, 'A date, or a date and a time, as in ISO 8601.')

/** One term: an object, or the older pair of strings. Errors are those of docs/interface/reading.md#narrows. */
const narrowTerm = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): RawNarrowTerm => {
    const refuse = (message: string) => {
      addIssue({ message })
      return NEVER
    }
    if (Array.isArray(value)) {
      const [operator, operand, ...more] = value as unknown[]
      if (typeof operator !== 'string' || typeof operand !== 'string' || more.length > 0) {
        return refuse('element is not a string pair')
      }
      return { operator, operand }
    }
    if (typeof value !== 'object' || value === null) return refuse('dict or list required')
    const { operator, operand, negated } = value as Record<string, unknown>
    if (operand === undefined || operand === null) return refuse('operand is missing')
    if (operator === undefined || operator === null) return refuse('operator is missing')
    if (typeof operator !== 'string') return refuse('operator is not a string')
    if (negated !== undefined && typeof negated !== 'boolean') return refuse('negated is not a boolean')
    return { operator, operand, negated }
  }),
  v.object({
    operator: textUpTo(WORD_LENGTH),
    operand: valueUpTo(VALUE_LENGTH),
    negated: v.optional(v.boolean()),
  }),
)

const narrowTerms = listUpTo(MAX_NARROW_LENGTH, narrowTerm)

const DESCRIPTION =
  'Terms that all have to match: objects with `operator`, `operand` and optionally `negated`, or pairs of texts.'

/** A list of terms that must all match (docs/interface/reading.md#narrows). */
export const narrow = described(json(narrowTerms), DESCRIPTION)

/** Like `narrow`, but null means no terms. */
export const narrowOrNull = described(json(v.nullable(narrowTerms)), DESCRIPTION)
