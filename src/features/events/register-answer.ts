import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import { channelKeys } from './register-schema-channels.ts'
import { customizationKeys } from './register-schema-customization.ts'
import { messageKeys, unreadKeys } from './register-schema-messages.ts'
import { realmKeys } from './register-schema-organization.ts'
import { settingKeys } from './register-schema-settings.ts'
import { userKeys } from './register-schema-users.ts'

/** The keys that each fetch type adds to the answer of POST /register. Source: docs/interface/register.md#what-is-asked-for. */
export const REGISTER_KEYS: Readonly<Record<string, v.ObjectEntries>> = {
  ...channelKeys,
  ...customizationKeys,
  ...messageKeys,
  ...settingKeys,
  ...userKeys,
  realm: realmKeys,
}

const always = {
  queue_id: v.string(),
  last_event_id: integer,
  idle_queue_timeout_secs: v.pipe(
    integer,
    v.description('How long the queue is kept while nobody polls it.'),
  ),
  zulip_version: v.string(),
  zulip_merge_base: v.string(),
  zulip_feature_level: integer,
  svc_version: v.string(),
  svc_merge_base: v.string(),
  svc_feature_level: integer,
}

/** The answer of POST /register. The fields besides `always` depend on the request. */
export const registerAnswer = v.object({
  ...always,
  ...Object.assign({}, ...Object.entries(REGISTER_KEYS).map(([type, keys]) => fetched(keys, `\`${type}\``))),
  ...fetched(unreadKeys, '`message` and `update_message_flags`'),
})

function fetched(keys: v.ObjectEntries, types: string): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(keys as Record<string, v.GenericSchema>).map(([name, schema]) => {
      const own = v.getDescription(schema)
      const description = `${own === undefined ? '' : `${own} `}Fetched with ${types}.`
      return [name, v.optional(v.pipe(schema, v.description(description)))]
    }),
  )
}
