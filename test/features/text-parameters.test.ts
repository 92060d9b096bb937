import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestRealm } from '../support/factories.ts'
import { describeParameter, ENDPOINTS } from '../support/inside-declarations.ts'
import { buildRealm } from '../support/use-realm.ts'

/**
 * Texts of which no value begins with a quotation mark, by name, each with a value: they are taken bare and as JSON
 * text. `json` are those that the public source of this API declares as JSON text (`Json[str]`), in every operation or
 * in some; its clients send these with quotes. It declares the others raw, or did so after an earlier version had not.
 */
const WORDS: Readonly<Record<string, { readonly value: string; readonly declared?: 'json' }>> = {
  // JSON text when a channel is created, raw when it is changed.
  topics_policy: { value: 'allow_empty_topic', declared: 'json' },
  second_factor_required_for: { value: 'owners', declared: 'json' },
  message_retention_days: { value: 'unlimited', declared: 'json' },
  payload_url: { value: 'https://bots.example/hook', declared: 'json' },
  service_payload_url: { value: 'https://bots.example/hook', declared: 'json' },
  jitsi_server_url: { value: 'https://calls.example', declared: 'json' },
  message_content_delete_limit_seconds: { value: 'unlimited', declared: 'json' },
  message_content_edit_limit_seconds: { value: 'unlimited', declared: 'json' },
  move_messages_within_stream_limit_seconds: { value: 'unlimited', declared: 'json' },
  move_messages_between_streams_limit_seconds: { value: 'unlimited', declared: 'json' },
  idle_queue_timeout: { value: 'mobile', declared: 'json' },
  include_subscribers: { value: 'partial', declared: 'json' },
  to: { value: 'general', declared: 'json' },
  value: { value: '#aabbcc', declared: 'json' },
  property: { value: 'color' },
  message_edit_history_visibility_policy: { value: 'all' },
  action: { value: 'login' },
  anchor: { value: 'newest' },
  anchor_date: { value: '2026-11-27' },
  default_code_block_language: { value: 'python' },
  default_language: { value: 'de' },
  default_avatar_source: { value: 'G' },
  emoji_code: { value: '1f642' },
  emojiset: { value: 'google' },
  export_type: { value: 'public' },
  difference: { value: 'only_in_backup' },
  flag: { value: 'read' },
  integration: { value: 'github' },
  messages: { value: 'keep' },
  notification_sound: { value: 'ding' },
  of: { value: 'messages' },
  op: { value: 'start' },
  propagate_mode: { value: 'change_all' },
  reaction_type: { value: 'unicode_emoji' },
  report_type: { value: 'spam' },
  resolved_topic_notice_auto_read_policy: { value: 'always' },
  status: { value: 'active' },
  timezone: { value: 'Europe/Berlin' },
  token_kind: { value: 'fcm' },
  type: { value: 'direct' },
  web_animate_image_previews: { value: 'always' },
  preset: { value: 'google' },
  token_auth: { value: 'post' },
  web_home_view: { value: 'inbox' },
}

/** Words that stand for something else where an operation has its own. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  'mute-topic op': 'add',
  'update-import action': 'run',
  'get-import-choices type': 'user',
}

/** Texts that people or clients make up, and that may begin with a quotation mark: taken as they are. */
const FREE = new Set(
  `auth bouncer_public_key client code command content content_length content_type deactivation_notification_comment
  default_events_register_stream default_sending_stream description domain email emoji_name
  encrypted_push_registration endpoint forged fragment full_name group_name hint invitee_emails local_id
  meeting_name msg_type name new_description new_email new_group_name new_name new_password note old_password
  room_name example_input reverse_template onboarding_step p256dh password path_id pattern prev_content_sha256 push_account_id push_key push_public_key quiet_from quiet_to
  pygments_language queue_id reason sender service_name short_name status_text stream title token token_id topic topic_name upload_id upload_length
  upload_metadata upload_offset url_template username welcome_message_custom_text widget_content after appid
  slug display_name icon_url issuer client_id client_secret scopes email_claim groups_claim role_claim
  api_key branches desc ignore_private_repositories payload secret text_template topic_template use_merge_request_title`
    .trim()
    .split(/\s+/),
)

const TEXTS = ENDPOINTS.flatMap(({ operation, path, params }) =>
  Object.entries(params)
    .filter(([name, schema]) => !path.includes(`:${name}`) && !describeParameter(name, schema).isJson)
    .map(([name, schema]) => ({ operation, name, schema: schema as v.GenericSchema })),
)

describe('a text parameter', () => {
  it('is known to be a word or a free text', () => {
    const names = new Set(TEXTS.map(({ name }) => name))
    expect([...names].filter((name) => !(name in WORDS) && !FREE.has(name))).toEqual([])
    expect([...FREE].filter((name) => name in WORDS)).toEqual([])
    expect(Object.keys(WORDS).filter((name) => !names.has(name))).toEqual([])
  })

  it.each(TEXTS.filter(({ name }) => name in WORDS))(
    'that is a word is the same with and without JSON quotes: $operation $name',
    ({ operation, name, schema }) => {
      const value = OTHER_VALUES[`${operation} ${name}`] ?? WORDS[name]!.value
      const [bare, quoted] = [value, JSON.stringify(value)].map((text) => v.safeParse(schema, text))
      expect(bare).toMatchObject({ success: true })
      if (name === 'to') return
      expect(quoted).toMatchObject({ success: true, output: bare!.output })
    },
  )

  it.each(TEXTS.filter(({ name }) => !(name in WORDS)))(
    'that is a free text keeps its quotation marks: $operation $name',
    ({ schema }) => {
      const { success, output } = v.safeParse(schema, '"ab"')
      if (success) expect(output).toBe('"ab"')
    },
  )
})

describe('a channel’s topics policy', () => {
  it.each(['inherit', '"inherit"', 'disable_empty_topic', '"disable_empty_topic"'])(
    'is set by %s on each way to create or change a channel',
    async (topics_policy) => {
      const { realm, user } = await buildRealm({ user: 'member' })
      const { id } = expectSuccess(
        await user.api.post('/channels/create', { name: 'made', subscribers: [user.id], topics_policy }),
      )
      expectSuccess(
        await user.api.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'joined' }],
          topics_policy,
        }),
      )
      await policies(realm, topics_policy, ['made', 'joined'])
      expectSuccess(await user.api.patch(`/streams/${id}`, { topics_policy: 'allow_empty_topic' }))
      expectSuccess(await user.api.patch(`/streams/${id}`, { topics_policy }))
      await policies(realm, topics_policy, ['made', 'joined'])
    },
  )
})

async function policies(realm: TestRealm, sent: string, names: readonly string[]): Promise<void> {
  const reader = await buildUser(realm)
  const { streams } = expectSuccess(await reader.api.get('/streams'))
  for (const name of names) {
    const channel = streams.find((stream: { name: string }) => stream.name === name)
    expect(channel.topics_policy).toBe(sent.replaceAll('"', ''))
  }
}
