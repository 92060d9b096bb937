import * as v from 'valibot'
import { described, integer } from '../../api/parameter-types.ts'
import { presences } from '../../api/shared-answers.ts'
import {
  mutedTopicSchema,
  mutedUserSchema,
  navigationViewSchema,
  onboardingStepSchema,
  userTopicEntries,
} from '../../events/personal.ts'
import { userStatusEntries } from '../../events/presence.ts'
import {
  customEmojiSchema,
  linkifierSchema,
  playgroundSchema,
  profileFieldSchema,
  realmDomainSchema,
} from '../../events/realm-lists.ts'
import { botSchema, ownBotSchema, userSchema } from '../../events/realm-user.ts'
import { channelEntries, channelFolder, defaultStreamGroup } from '../../events/stream.ts'
import { subscriptionEntries } from '../../events/subscription.ts'
import {
  draftSchema,
  reminderSchema,
  savedSnippetSchema,
  scheduledMessageEntries,
} from '../../events/unsent.ts'
import { userGroupSchema } from '../../events/user-group.ts'
import { NEWER_RECENT_VIEW } from '../../events/user-settings.ts'
import {
  REALM_DEFAULT_SETTING_NAMES,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
  type UserSettings,
} from '../../store/users/settings/user-settings.ts'
import { realmKeys } from './register-schema-organization.ts'

const { is_active: _isActive, is_system_bot: _isSystemBot, ...person } = userSchema.entries

/** A user without `is_active`: active and deactivated users are in different lists. */
const listedUser = v.object(person)
const systemBot = v.object({ ...person, is_active: v.boolean(), is_system_bot: v.literal(true) })

/** Everyone whom the caller may see, and the caller's own account. */
const directory = {
  realm_users: v.array(listedUser),
  realm_non_active_users: v.array(listedUser),
  cross_realm_bots: v.array(systemBot),
  avatar_source: v.picklist(['G', 'U']),
  avatar_url: v.string(),
  avatar_url_medium: v.string(),
  user_id: integer,
  email: v.string(),
  delivery_email: v.string(),
  delivery_email_unconfirmed: v.boolean(),
  server_sends_mail: v.boolean(),
  delivery_email_refused: v.nullable(v.object({ address: v.string(), since: integer, reason: v.string() })),
  full_name: v.string(),
  is_admin: v.boolean(),
  is_owner: v.boolean(),
  is_moderator: v.boolean(),
  is_guest: v.boolean(),
  can_create_private_streams: v.boolean(),
  can_create_public_streams: v.boolean(),
  can_create_web_public_streams: v.boolean(),
  can_create_streams: v.boolean(),
  can_subscribe_other_users: v.boolean(),
  can_invite_others_to_realm: v.boolean(),
}

/** Keys about people, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
const userKeys = {
  muted_users: { muted_users: v.array(mutedUserSchema) },
  presence: {
    presences,
    presence_last_update_id: integer,
    server_timestamp: described(v.number(), 'UNIX seconds with a fraction.'),
  },
  realm_bot: { realm_bots: v.array(v.union([botSchema, ownBotSchema])) },
  realm_user: directory,
  realm_user_groups: { realm_user_groups: v.array(userGroupSchema) },
  user_status: { user_status: v.record(v.string(), v.object(userStatusEntries)) },
}

const { subscribers, partial_subscribers } = subscriptionEntries
const subscription = v.object(subscriptionEntries)

/** Keys about channels and topics, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has; docs/interface/channels.md#the-channel-object. */
const channelKeys = {
  channel_folders: { channel_folders: v.array(channelFolder) },
  default_streams: { realm_default_streams: v.array(integer) },
  default_stream_groups: { realm_default_stream_groups: v.array(defaultStreamGroup) },
  muted_topics: { muted_topics: v.array(mutedTopicSchema) },
  stream: { streams: v.array(v.object(channelEntries)) },
  subscription: {
    subscriptions: v.array(subscription),
    unsubscribed: v.array(subscription),
    never_subscribed: v.array(v.object({ ...channelEntries, subscribers, partial_subscribers })),
  },
  user_topic: { user_topics: v.array(v.object(userTopicEntries)) },
}

const ids = v.array(integer)

/** Keys about sent and unsent messages, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
const messageKeys = {
  alert_words: { alert_words: v.array(v.string()) },
  drafts: { drafts: v.array(draftSchema) },
  message: { max_message_id: integer },
  recent_private_conversations: {
    recent_private_conversations: v.array(v.object({ user_ids: ids, max_message_id: integer })),
  },
  reminders: { reminders: v.array(reminderSchema) },
  saved_snippets: { saved_snippets: v.array(savedSnippetSchema) },
  scheduled_messages: { scheduled_messages: v.array(v.object(scheduledMessageEntries)) },
  starred_messages: { starred_messages: ids },
}

/** Keys of both `message` and `update_message_flags`. Source: docs/interface/reading.md#unread-messages. */
const unreadKeys = {
  unread_msgs: v.object({
    count: integer,
    pms: v.array(v.object({ other_user_id: integer, sender_id: integer, unread_message_ids: ids })),
    streams: v.array(v.object({ stream_id: integer, topic: v.string(), unread_message_ids: ids })),
    huddles: v.array(v.object({ user_ids_string: v.string(), unread_message_ids: ids })),
    mentions: ids,
    old_unreads_missing: v.boolean(),
  }),
}

const emojisetChoices = { emojiset_choices: v.array(v.object({ key: v.string(), text: v.string() })) }
const notificationSounds = { available_notification_sounds: v.array(v.string()) }

const namesWithLegacyForm = (form: 'display' | 'notification') =>
  USER_SETTING_NAMES.filter((name) => USER_SETTINGS[name].legacy === form)

const pushDevice = v.object({
  status: v.picklist(['active', 'pending', 'failed']),
  error_code: v.nullable(v.string()),
})

/** A device. Values are null until it is set up for notifications. */
const device = v.object({
  push_key_id: v.nullable(v.number()),
  push_token_id: v.nullable(v.string()),
  pending_push_token_id: v.nullable(v.string()),
  push_token_last_updated_timestamp: v.nullable(v.number()),
  push_registration_error_code: v.nullable(v.string()),
})

/** Keys about the caller's settings and clients, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
const settingKeys = {
  device: { devices: v.record(v.string(), device) },
  navigation_views: { navigation_views: v.array(navigationViewSchema) },
  onboarding_steps: {
    onboarding_steps: v.array(onboardingStepSchema),
    navigation_tour_video_url: v.nullable(v.string()),
  },
  push_device: { push_devices: v.record(v.string(), pushDevice) },
  realm_user_settings_defaults: {
    realm_user_settings_defaults: v.object({
      ...settingSchemas(REALM_DEFAULT_SETTING_NAMES),
      ...emojisetChoices,
      ...notificationSounds,
    }),
  },
  update_display_settings: { ...settingSchemas(namesWithLegacyForm('display')), ...emojisetChoices },
  update_global_notifications: {
    ...settingSchemas(namesWithLegacyForm('notification')),
    ...notificationSounds,
  },
  user_settings: {
    user_settings: v.object({
      ...settingSchemas(USER_SETTING_NAMES),
      ...emojisetChoices,
      ...notificationSounds,
    }),
  },
}

const fieldType = v.object({ id: integer, name: v.string() })

/** A list of things that this server does not have. */
const alwaysEmpty = described(v.array(v.never()), 'Always empty.')

const option = { key: v.string(), label: v.string() }
const inputType = described(v.picklist(['text', 'boolean']), 'From level 485 on.')
const validator = described(v.picklist(['check_string', 'check_bool']), 'Below level 485.')

/** A service that can post here (docs/interface/webhooks.md#incoming-webhooks). */
const integration = v.object({
  name: v.string(),
  display_name: v.string(),
  all_event_types: v.nullable(v.array(v.string())),
  url_options: v.optional(
    described(
      v.array(v.object({ ...option, input_type: v.optional(inputType), validator: v.optional(validator) })),
      'From level 403 on.',
    ),
  ),
  config_options: v.optional(
    described(v.array(v.object({ ...option, validator })), 'Below level 403, in place of `url_options`.'),
  ),
})

const zoomToken = { has_zoom_token: v.boolean() }
const webexToken = { has_webex_token: v.boolean() }

/** Keys about the organization's customizations, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has. */
const customizationKeys = {
  custom_profile_fields: {
    custom_profile_fields: v.array(profileFieldSchema),
    custom_profile_field_types: v.object({
      SHORT_TEXT: fieldType,
      LONG_TEXT: fieldType,
      SELECT: fieldType,
      DATE: fieldType,
      URL: fieldType,
      USER: fieldType,
      EXTERNAL_ACCOUNT: fieldType,
      PRONOUNS: fieldType,
    }),
  },
  giphy: { giphy_api_key: v.string() },
  tenor: { tenor_api_key: v.string() },
  has_zoom_token: zoomToken,
  has_webex_token: webexToken,
  realm_billing: { realm_billing: v.object({ has_pending_sponsorship_request: v.boolean() }) },
  realm_domains: { realm_domains: v.array(realmDomainSchema) },
  realm_embedded_bots: { realm_embedded_bots: alwaysEmpty },
  realm_emoji: { realm_emoji: customEmojiSchema },
  realm_filters: { realm_filters: alwaysEmpty },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: v.array(integration) },
  realm_linkifiers: { realm_linkifiers: v.array(linkifierSchema) },
  realm_playgrounds: { realm_playgrounds: v.array(playgroundSchema) },
  stop_words: { stop_words: v.array(v.string()) },
  video_calls: { ...zoomToken, ...webexToken },
}

const keysByType = {
  ...channelKeys,
  ...customizationKeys,
  ...messageKeys,
  ...settingKeys,
  ...userKeys,
  realm: realmKeys,
}

/** The keys that each fetch type adds to the answer of POST /register. Source: docs/interface/register.md#what-is-asked-for. */
export const REGISTER_KEYS: Readonly<Record<string, v.ObjectEntries>> = keysByType

const always = {
  queue_id: v.string(),
  last_event_id: integer,
  idle_queue_timeout_secs: described(integer, 'How long the queue is kept while nobody polls it.'),
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

type Keys<ByType extends Record<string, v.ObjectEntries>> = {
  readonly [Type in keyof ByType]: v.InferOutput<v.ObjectSchema<ByType[Type], undefined>>
}[keyof ByType]
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The answer to a client that asks for everything. */
export type WholeSnapshot = Together<
  Keys<typeof keysByType & { always: typeof always; unread: typeof unreadKeys }>
>

function fetched(keys: v.ObjectEntries, types: string): v.ObjectEntries {
  return Object.fromEntries(
    Object.entries(keys as Record<string, v.GenericSchema>).map(([name, schema]) => {
      const own = v.getDescription(schema)
      const description = `${own === undefined ? '' : `${own} `}Fetched with ${types}.`
      return [name, v.optional(described(schema, description))]
    }),
  )
}

/** Returns schemas of settings' values, from their table. Source: docs/interface/settings.md#defaults-of-new-accounts. */
function settingSchemas<Name extends UserSettingName>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as {
    readonly [Setting in Name]: v.GenericSchema<ValueOf<Setting>>
  }
}

type ValueOf<Name extends UserSettingName> =
  | UserSettings[Name]
  | (Name extends 'web_home_view' ? typeof NEWER_RECENT_VIEW : never)

function schemaOf(name: UserSettingName): v.GenericSchema {
  const { type, values } = USER_SETTINGS[name]
  // Only numbers and words have lists of values.
  if (values) {
    const newer = name === 'web_home_view' ? [NEWER_RECENT_VIEW] : []
    return v.picklist([...(values as readonly (number | string)[]), ...newer])
  }
  switch (type) {
    case 'boolean':
      return v.boolean()
    case 'integer':
      return integer
    case 'string':
      return v.string()
  }
}
