import * as v from 'valibot'
import { CHANNEL_PROPERTIES, type ChannelProperties, forEachProperty } from '../core/channel-properties.ts'
import type { RawNarrowTerm } from '../model/messages/narrow/narrow-terms.ts'
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../model/messages/send/compose.ts'
import { CHANNEL_GROUP_SETTINGS, type ChannelGroupSettingName } from '../rules/group-settings.ts'
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
  ...forEachSetting(v.optional(json(groupSetting))),
  folder_id: v.optional(json(v.nullable(integer))),
  ...channelProperties,
}

type SettingSchemas<Name extends UserSettingName> = Record<Name, v.GenericSchema<unknown, unknown>>

/**
 * Returns a parameter for each of the settings, in the order of their table: it checks the type, the command
 * checks the value.
 */
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

/** Values for profile fields: text, or the ids of people; null removes a value. */
export const profileData = json(
  listUpTo(
    MAX_HANDMADE_LIST_LENGTH,
    v.object({
      id: integer,
      value: v.nullable(v.union([textUpTo(WEB_ADDRESS_LENGTH), listUpTo(MAX_HANDMADE_LIST_LENGTH, integer)])),
    }),
  ),
)

/** A message's source, without white space at its end and empty lines at its beginning. */
export const messageContent = textCutTo(MAX_MESSAGE_LENGTH, (content) =>
  content.trimEnd().replace(/^\n+/u, ''),
)

/** The topic of a new message. */
export const sentTopic = textCutTo(MAX_TOPIC_LENGTH, (topic) => topic.trim())

/** Where a page of messages is. Source: docs/interface/reading.md#anchors. */
export const anchor = v.pipe(
  word,
  v.description('A message id, or `newest`, `oldest`, `first_unread` or `date`.'),
)

/** For the anchor `date`. */
export const anchorDate = v.pipe(word, v.description('A date, or a date and a time, as in ISO 8601.'))

/** One term: an object, or the older pair of texts. Errors are those of docs/interface/reading.md#narrows. */
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

/** Terms as the Worker passes them to a step. */
const narrowTerms = listUpTo(MAX_NARROW_LENGTH, narrowTerm)

const DESCRIPTION =
  'Terms that all have to match: objects with `operator`, `operand` and optionally `negated`, or pairs of texts.'

/** A list of terms that all have to match (docs/interface/reading.md#narrows). */
export const narrow = v.pipe(json(narrowTerms), v.description(DESCRIPTION))

/** A narrow like `narrow`, where null means no terms. */
export const narrowOrNull = v.pipe(json(v.nullable(narrowTerms)), v.description(DESCRIPTION))
