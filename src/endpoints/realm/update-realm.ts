import * as v from 'valibot'
import { REALM_PROPERTY_NAMES, type RealmPropertyName } from '../../domain/realm/realm-properties.ts'
import { updateRealm } from '../../domain/realm/update-realm.ts'
import {
  realmPermissions,
  realmPropertiesOfUpdate,
  realmPropertiesOfUpdateDict,
} from '../../events/realm-property-schemas.ts'
import { REALM_GROUP_SETTINGS, type RealmGroupSettingName } from '../../permissions/group-settings.ts'
import { changesIn } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { PROSE_LENGTH, VALUE_LENGTH } from '../input-limits.ts'
import {
  alias,
  groupSetting,
  json,
  jsonBoolean,
  textOrJson,
  textUpTo,
  valueUpTo,
  wordOrJson,
} from '../parameter-types.ts'

/** Properties that arrive as they are, or in another way than as JSON. The values are checked in the command. */
const SPECIAL: { readonly [Name in RealmPropertyName]?: v.GenericSchema<unknown, unknown> } = {
  name: textUpTo(PROSE_LENGTH),
  description: textUpTo(PROSE_LENGTH),
  default_language: textUpTo(PROSE_LENGTH),
  default_code_block_language: textUpTo(PROSE_LENGTH),
  jitsi_server_url: textUpTo(PROSE_LENGTH),
  welcome_message_custom_text: textUpTo(PROSE_LENGTH),
  topics_policy: textOrJson(valueUpTo(VALUE_LENGTH)),
  message_edit_history_visibility_policy: textOrJson(valueUpTo(VALUE_LENGTH)),
  zulip_update_announcements_stream_id: alias(
    'svc_update_announcements_stream_id',
    json(valueUpTo(VALUE_LENGTH), VALUE_LENGTH),
  ),
  message_content_delete_limit_seconds: wordOrJson(['unlimited'], valueUpTo(VALUE_LENGTH)),
  message_content_edit_limit_seconds: wordOrJson(['unlimited'], valueUpTo(VALUE_LENGTH)),
  message_retention_days: wordOrJson(['unlimited'], valueUpTo(VALUE_LENGTH)),
  move_messages_within_stream_limit_seconds: wordOrJson(['unlimited'], valueUpTo(VALUE_LENGTH)),
  move_messages_between_streams_limit_seconds: wordOrJson(['unlimited'], valueUpTo(VALUE_LENGTH)),
}

const properties = Object.fromEntries(
  REALM_PROPERTY_NAMES.map((name): [string, v.GenericSchema<unknown, unknown>] => [
    name,
    v.optional(SPECIAL[name] ?? json(valueUpTo(VALUE_LENGTH), VALUE_LENGTH)),
  ]),
) as Record<RealmPropertyName, v.GenericSchema<unknown, unknown>>

const groupSettingChange = v.object({ new: groupSetting, old: v.optional(v.nullable(groupSetting)) })
const optionalChange = v.optional(json(groupSettingChange))

const permissions = Object.fromEntries(
  REALM_GROUP_SETTINGS.map(({ name }) => [name, optionalChange]),
) as Record<RealmGroupSettingName, typeof optionalChange>

/** Texts are not sent back. */
const updated = v.literal('updated')

/** New properties. */
const newProperties = {
  ...realmPropertiesOfUpdate,
  ...realmPropertiesOfUpdateDict,
  name: updated,
  description: updated,
  default_language: updated,
  default_code_block_language: updated,
  jitsi_server_url: v.nullable(updated),
  message_edit_history_visibility_policy: updated,
  topics_policy: updated,
  welcome_message_custom_text: updated,
  authentication_methods: v.record(v.string(), v.boolean()),
} satisfies Record<RealmPropertyName, v.GenericSchema>

/**
 * Changes the organization's properties and permissions. Source:
 * docs/interface/organization.md#change-settings.
 */
export const updateRealmEndpoint = defineEndpoint({
  operation: 'update-realm',
  method: 'PATCH',
  path: '/realm',
  access: 'administrator',
  params: { ...properties, mandatory_topics: v.optional(jsonBoolean), ...permissions },
  returns: v.partial(v.object({ ...newProperties, ...realmPermissions })),
  command: updateRealm,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'organization_changed',
      details: changesIn(params),
    }),
  },
})
