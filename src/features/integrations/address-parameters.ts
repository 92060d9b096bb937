import * as v from 'valibot'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, VALUE_LENGTH } from '../../api/input-limits.ts'
import { json, jsonBoolean, listUpTo, textUpTo } from '../../api/parameter-types.ts'
import { sentTopic } from '../../api/shared-parameters.ts'
import { OPTIONS } from '../../integrations/options.ts'

const eventFilter = (description: string) =>
  v.optional(
    v.pipe(json(listUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(NAME_LENGTH))), v.description(description)),
  )

/** The options of all integrations, as parameters. They are read with the body. */
const options: Readonly<Record<string, v.GenericSchema<string | undefined, string | undefined>>> =
  Object.fromEntries(
    Object.entries(OPTIONS).map(([name, { label }]) => [
      name,
      v.optional(v.pipe(textUpTo(VALUE_LENGTH), v.description(`${label}. Only some integrations have it.`))),
    ]),
  )

/** Parameters of the address for a service: where its messages go. */
export const DESTINATION_PARAMETERS = {
  stream: v.optional(
    v.pipe(
      textUpTo(NAME_LENGTH),
      v.description('Name or id of the channel. By default the bot writes to its owner.'),
    ),
  ),
  topic: v.optional(v.pipe(sentTopic, v.description('By default the topic is that of the integration.'))),
  to_default_channel: v.optional(
    v.pipe(
      jsonBoolean,
      v.description(
        'Whether a message for no channel goes to the default channel of the bot, if it has one.',
      ),
    ),
  ),
}

/** Parameters of the address for a service: which of its posts count. */
export const FILTER_PARAMETERS = {
  only_events: eventFilter('Names of events of which messages are made, with wildcards.'),
  exclude_events: eventFilter('Names of events of which none are made, with wildcards.'),
  ...(options as Record<never, never>),
}
