import * as v from 'valibot'
import { changesIn } from '../../api/audit-notes.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, PROSE_LENGTH, VALUE_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import {
  alias,
  bareOrQuoted,
  groupSetting,
  json,
  jsonBoolean,
  mapUpTo,
  textOrJson,
  textUpTo,
  valueUpTo,
  wordOrJson,
} from '../../api/parameter-types.ts'
import {
  realmPermissions,
  realmPropertiesOfUpdate,
  realmPropertiesOfUpdateDict,
} from '../../events/realm-property-schemas.ts'
import { REALM_GROUP_SETTINGS, type RealmGroupSettingName } from '../../rules/group-settings.ts'
import { REALM_PROPERTY_NAMES, type RealmPropertyName } from '../../store/realm/realm-properties.ts'
import { updateRealm } from './update-realm-work.ts'

/** What a client sends, where that is not what it gets. */
const SENT_AS: { readonly [Name in RealmPropertyName]?: v.GenericSchema } = {
  authentication_methods: mapUpTo(MAX_HANDMADE_LIST_LENGTH, textUpTo(WORD_LENGTH), v.boolean()),
}
const anyInteger = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(Number.MIN_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
)

/** A value that the command checks. */
const checkedValue = (name: RealmPropertyName) => {
  const shape = SENT_AS[name] ?? { ...realmPropertiesOfUpdate, ...realmPropertiesOfUpdateDict }[name]
  const set = 'wrapped' in shape ? shape.wrapped : shape
  return valueUpTo(VALUE_LENGTH, set.type === 'number' ? anyInteger : set)
}
const jsonOf = (name: RealmPropertyName) => json(checkedValue(name), VALUE_LENGTH)
const unlimitedOr = (name: RealmPropertyName) => wordOrJson(['unlimited'], checkedValue(name))

/** Properties that arrive as they are, or in another way than as JSON. The values are checked in the command. */
const SPECIAL: { readonly [Name in RealmPropertyName]?: v.GenericSchema<unknown, unknown> } = {
  name: textUpTo(PROSE_LENGTH),
  description: textUpTo(PROSE_LENGTH),
  default_language: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  default_code_block_language: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  jitsi_server_url: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  welcome_message_custom_text: textUpTo(PROSE_LENGTH),
  topics_policy: textOrJson(checkedValue('topics_policy')),
  second_factor_required_for: textOrJson(checkedValue('second_factor_required_for')),
  message_edit_history_visibility_policy: textOrJson(checkedValue('message_edit_history_visibility_policy')),
  zulip_update_announcements_stream_id: alias(
    'svc_update_announcements_stream_id',
    jsonOf('zulip_update_announcements_stream_id'),
  ),
  default_avatar_source: bareOrQuoted(textUpTo(PROSE_LENGTH)),
  giphy_rating: alias('gif_rating_policy', jsonOf('giphy_rating')),
  message_content_delete_limit_seconds: unlimitedOr('message_content_delete_limit_seconds'),
  message_content_edit_limit_seconds: unlimitedOr('message_content_edit_limit_seconds'),
  message_retention_days: unlimitedOr('message_retention_days'),
  move_messages_within_stream_limit_seconds: unlimitedOr('move_messages_within_stream_limit_seconds'),
  move_messages_between_streams_limit_seconds: unlimitedOr('move_messages_between_streams_limit_seconds'),
}

const properties = Object.fromEntries(
  REALM_PROPERTY_NAMES.map((name): [string, v.GenericSchema<unknown, unknown>] => [
    name,
    v.optional(SPECIAL[name] ?? jsonOf(name)),
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
  default_avatar_source: updated,
  default_code_block_language: updated,
  jitsi_server_url: v.nullable(updated),
  message_edit_history_visibility_policy: updated,
  topics_policy: updated,
  second_factor_required_for: updated,
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
  needsProof: ({ authentication_methods, second_factor_required_for }) =>
    authentication_methods !== undefined || second_factor_required_for !== undefined,
  params: { ...properties, mandatory_topics: v.optional(jsonBoolean), ...permissions },
  returns: v.partial(
    v.object({
      ...newProperties,
      gif_rating_policy: realmPropertiesOfUpdate.giphy_rating,
      ...realmPermissions,
    }),
  ),
  command: updateRealm,
  // Nobody could set an authenticator app up where the deployment cannot keep its secret.
  hasWork: ({ second_factor_required_for: whom }) => whom !== undefined && whom !== 'nobody',
  async prepare(params, { secrets }) {
    await secrets.seal('second factor', '')
    return params
  },
  audit: {
    whenChanged: ({ params }) => ({
      action: 'organization_changed',
      details: changesIn(params),
    }),
  },
})
