import * as v from 'valibot'

/**
 * The one table of a channel's plain settings, by the names of the API: flags, and choices of some words. A row, creation,
 * changes and their events, answers and archives follow from it. A channel that has no value, since it is older than the
 * setting, has the default. Source: docs/interface/channels.md#change-a-channel.
 */
export const CHANNEL_PROPERTIES = {
  /** Whether those who join get pushes of all its messages, until they say otherwise. */
  default_push_notifications: flag(false, 'administrators'),
  topics_policy: choice(
    ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
    'inherit',
    'its own rule',
  ),
}

/**
 * Who may set a property, of those who may administer the channel: all of them, only administrators of the organization, or whom a
 * rule and a planner of its own say (model/channels/change/channel-changes.ts).
 */
type SetBy = 'whoever administers the channel' | 'administrators' | 'its own rule'

function flag(initial: boolean, setBy: SetBy) {
  return { schema: v.boolean(), default: initial, setBy }
}

function choice<const Word extends string>(words: readonly Word[], initial: NoInfer<Word>, setBy: SetBy) {
  return { schema: v.picklist(words), default: initial, setBy }
}

type Table = typeof CHANNEL_PROPERTIES
export type ChannelPropertyName = keyof Table
export type ChannelProperties = {
  readonly [Name in ChannelPropertyName]: v.InferOutput<Table[Name]['schema']>
}

/** The names, in the order of the table. */
export const CHANNEL_PROPERTY_NAMES = Object.keys(CHANNEL_PROPERTIES) as readonly ChannelPropertyName[]

export const DEFAULT_CHANNEL_PROPERTIES = forEachProperty(
  (name) => CHANNEL_PROPERTIES[name].default,
) as ChannelProperties

/** Returns an object with a value for each property; the caller says of which type each is. */
export function forEachProperty<Value>(
  of: (name: ChannelPropertyName) => Value,
): Record<ChannelPropertyName, Value> {
  return Object.fromEntries(CHANNEL_PROPERTY_NAMES.map((name) => [name, of(name)])) as Record<
    ChannelPropertyName,
    Value
  >
}

export function givenProperties(given: Partial<ChannelProperties>): Partial<ChannelProperties> {
  return Object.fromEntries(
    CHANNEL_PROPERTY_NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
}
