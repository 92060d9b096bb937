import { describe, expect, test } from 'vitest'
import {
  areTopicsMandatory,
  legacyRealmValues,
  topicsPolicyOfMandatory,
} from '../../src/model/realm/present-realm.ts'
import { REALM_GROUP_SETTINGS } from '../../src/rules/group-settings.ts'
import { CHANGED_BY_OWNERS, requireMayChangeRealm } from '../../src/rules/realm-setting-rules.ts'
import {
  checkRealmProperty,
  defaultRealmProperties,
  isRealmPropertyName,
  REALM_PROPERTY_NAMES,
  type RealmPropertyName,
} from '../../src/store/realm/realm-properties.ts'
import { administrator, moderator, owner } from '../rules/build-actor.ts'
import { realmPermissions } from '../rules/build-facts.ts'
import { refusal, refusalError } from '../rules/refusal.ts'

describe('defaults', () => {
  test('are those of a new organization', () => {
    expect(defaultRealmProperties()).toEqual({
      name: '',
      description: '',
      emails_restricted_to_domains: false,
      disallow_disposable_email_addresses: true,
      invite_required: true,
      require_unique_names: false,
      second_factor_required_for: 'nobody',
      name_changes_disabled: false,
      email_changes_disabled: false,
      avatar_changes_disabled: false,
      inline_image_preview: true,
      inline_url_embed_preview: false,
      message_content_delete_limit_seconds: 600,
      message_content_edit_limit_seconds: 600,
      allow_message_editing: true,
      message_edit_history_visibility_policy: 'all',
      default_language: 'en',
      waiting_period_threshold: 0,
      authentication_methods: { Email: true, 'OpenID Connect': true, GitHub: true, RemoteUser: true },
      moderation_request_channel_id: -1,
      new_stream_announcements_stream_id: -1,
      signup_announcements_stream_id: -1,
      zulip_update_announcements_stream_id: -1,
      message_retention_days: -1,
      send_welcome_emails: true,
      message_content_allowed_in_email_notifications: true,
      digest_emails_enabled: false,
      digest_weekday: 1,
      presence_disabled: false,
      enable_read_receipts: true,
      enable_spectator_access: false,
      want_advertise_in_communities_directory: false,
      enable_guest_user_indicator: true,
      enable_guest_user_dm_warning: true,
      require_e2ee_push_notifications: false,
      video_chat_provider: 1,
      jitsi_server_url: null,
      giphy_rating: 2,
      default_code_block_language: '',
      org_type: 0,
      topics_policy: 'allow_empty_topic',
      welcome_message_custom_text: '',
      move_messages_within_stream_limit_seconds: 604_800,
      move_messages_between_streams_limit_seconds: 604_800,
      default_avatar_source: 'G',
      media_preview_size: 100,
      send_channel_events_messages: true,
    })
  })
})

describe('values', () => {
  const accepted: [RealmPropertyName, unknown, unknown][] = [
    ['name', ' Acme ', 'Acme'],
    ['name', 'é'.repeat(40), 'é'.repeat(40)],
    ['description', '', ''],
    ['invite_required', false, false],
    ['message_content_edit_limit_seconds', 'unlimited', null],
    ['message_content_edit_limit_seconds', 1, 1],
    ['message_retention_days', 'unlimited', -1],
    ['message_retention_days', 30, 30],
    ['waiting_period_threshold', 0, 0],
    ['digest_weekday', 0, 0],
    ['default_language', 'de', 'de'],
    ['video_chat_provider', 0, 0],
    ['giphy_rating', 5, 5],
    ['org_type', 1000, 1000],
    ['topics_policy', 'disable_empty_topic', 'disable_empty_topic'],
    ['message_edit_history_visibility_policy', 'moves', 'moves'],
    ['new_stream_announcements_stream_id', -1, -1],
    ['new_stream_announcements_stream_id', 12, 12],
    ['jitsi_server_url', 'https://meet.example.com', 'https://meet.example.com'],
    ['jitsi_server_url', 'default', null],
    ['authentication_methods', { Email: true }, { Email: true }],
    ['authentication_methods', { Email: true, LDAP: true }, { Email: true }],
    ['authentication_methods', { Email: false }, { Email: false }],
    ['authentication_methods', { LDAP: true }, {}],
  ]
  test.each(accepted)('%s takes %j', (name, value, kept) => {
    expect(checkRealmProperty(name, value)).toEqual(kept)
  })

  const refused: [RealmPropertyName, unknown, string][] = [
    ['name', 'a'.repeat(41), 'name is too long (limit: 40 characters)'],
    ['name', '  ', 'name cannot be blank'],
    ['name', 5, 'name is not a string'],
    ['description', 'a'.repeat(1001), 'description is too long (limit: 1000 characters)'],
    [
      'welcome_message_custom_text',
      'a'.repeat(8001),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
    ['invite_required', 'true', 'invite_required is not a boolean'],
    ['digest_weekday', '1', 'digest_weekday is not an integer'],
    ['digest_weekday', 1.5, 'digest_weekday is not an integer'],
    ['digest_weekday', 7, 'Invalid digest_weekday'],
    ['org_type', 11, 'Invalid org_type'],
    ['topics_policy', 'empty_topic_only', 'Invalid topics_policy'],
    ['message_edit_history_visibility_policy', 'some', 'Invalid message_edit_history_visibility_policy'],
    ['waiting_period_threshold', -1, 'waiting_period_threshold is too small'],
    ['default_language', 'xx', "Invalid language 'xx'"],
    ['video_chat_provider', 2, 'Invalid video_chat_provider 2'],
    ['giphy_rating', 6, 'Invalid giphy_rating 6'],
    ['signup_announcements_stream_id', -2, 'Invalid channel ID'],
    ['jitsi_server_url', 'meet', 'Invalid jitsi_server_url'],
    ['jitsi_server_url', 'javascript:alert(1)', 'Invalid jitsi_server_url'],
    ['authentication_methods', { Email: 1 }, 'authentication_methods["Email"] is not a boolean'],
    ['authentication_methods', [], 'authentication_methods is not a dict'],
    ['authentication_methods', null, 'authentication_methods is not a dict'],
    ['authentication_methods', 'Email', 'authentication_methods is not a dict'],
  ]
  test.each(refused)('%s refuses %j', (name, value, expected) => {
    expect(refusal(() => checkRealmProperty(name, value))).toBe(expected)
  })

  const limits: [RealmPropertyName, unknown][] = [
    ['message_content_edit_limit_seconds', 0],
    ['message_content_delete_limit_seconds', 0],
    ['message_content_delete_limit_seconds', 1.5],
    ['move_messages_within_stream_limit_seconds', -5],
    ['move_messages_between_streams_limit_seconds', 'forever'],
    ['message_retention_days', 0],
    ['message_retention_days', 'realm_default'],
  ]
  test.each(limits)('%s refuses %j with its own code', (name, value) => {
    expect(refusalError(() => checkRealmProperty(name, value))).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      message: `Bad value for '${name}': ${value}`,
      extra: { var_name: name, bad_value: String(value) },
    })
  })
})

describe('who may change what', () => {
  const mustBeOwner = 'Must be an organization owner'
  test.each([
    ['description', administrator, null],
    ['description', moderator, 'Must be an organization administrator'],
    ['can_mention_many_users_group', administrator, null],
    ['authentication_methods', administrator, mustBeOwner],
    ['message_retention_days', administrator, mustBeOwner],
    ['invite_required', administrator, mustBeOwner],
    ['create_multiuse_invite_group', administrator, mustBeOwner],
    ['can_create_groups', administrator, mustBeOwner],
    ['can_invite_users_group', administrator, mustBeOwner],
    ['can_manage_all_groups', administrator, mustBeOwner],
    ['can_manage_billing_group', administrator, mustBeOwner],
    ['emails_restricted_to_domains', administrator, mustBeOwner],
    ['disallow_disposable_email_addresses', administrator, mustBeOwner],
    ['waiting_period_threshold', administrator, mustBeOwner],
    ['string_id', administrator, mustBeOwner],
    ['org_type', administrator, mustBeOwner],
    ['org_type', owner, null],
    ['can_manage_all_groups', owner, null],
    ['org_type', moderator, 'Must be an organization administrator'],
  ])('%s', (name, actor, expected) => {
    const error = refusalError(() => requireMayChangeRealm(actor, ['description', name]))
    expect(error?.message ?? null).toBe(expected)
    if (error) expect(error.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  test('everything that is for owners alone is a setting', () => {
    const names = [...REALM_PROPERTY_NAMES, ...REALM_GROUP_SETTINGS.map(({ name }) => name), 'string_id']
    expect(new Set(names)).toEqual(new Set([...names, ...CHANGED_BY_OWNERS]))
  })
})

test('names are those of the table only', () => {
  expect(isRealmPropertyName('org_type')).toBe(true)
  expect(isRealmPropertyName('constructor')).toBe(false)
  expect(isRealmPropertyName('can_create_groups')).toBe(false)
})

describe('values for older clients', () => {
  const realm = { ...defaultRealmProperties(), ...realmPermissions() }
  test('of a new organization', () => {
    expect(legacyRealmValues(realm)).toEqual({
      create_public_stream_policy: 1,
      create_private_stream_policy: 1,
      create_web_public_stream_policy: 7,
      wildcard_mention_policy: 5,
      mandatory_topics: false,
      allow_edit_history: true,
      svc_update_announcements_stream_id: -1,
    })
  })

  test('follow changes of the settings', () => {
    const changed = {
      ...realm,
      can_create_public_channel_group: 4,
      can_create_private_channel_group: 3,
      can_create_web_public_channel_group: 1,
      can_mention_many_users_group: 7,
      topics_policy: 'disable_empty_topic' as const,
      message_edit_history_visibility_policy: 'none' as const,
      zulip_update_announcements_stream_id: 12,
    }
    expect(legacyRealmValues(changed)).toEqual({
      create_public_stream_policy: 4,
      create_private_stream_policy: 2,
      create_web_public_stream_policy: 6,
      wildcard_mention_policy: 1,
      mandatory_topics: true,
      allow_edit_history: false,
      svc_update_announcements_stream_id: 12,
    })
    expect(legacyRealmValues({ ...realm, message_edit_history_visibility_policy: 'moves' })).toMatchObject({
      allow_edit_history: true,
    })
  })

  test('mandatory topics are translated both ways', () => {
    for (const isMandatory of [true, false]) {
      expect(areTopicsMandatory(topicsPolicyOfMandatory(isMandatory))).toBe(isMandatory)
    }
  })
})
