/** Gives the people of a furnished organization personal data, votes in polls, and permissions. */
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import type { Furnished } from './furnished-realm.ts'
import { PNG } from './images.ts'
import { sendTo } from './messages.ts'
import { postFiles } from './uploads.ts'
import { world } from './world.ts'

/** Seconds from now, in whole seconds of UNIX time. */
const later = (seconds: number) => Math.floor(Date.now() / 1_000 + world.clockOffset) + seconds
const DAY = 86_400

async function enter(user: TestUser, messageId: number, content: object): Promise<void> {
  expectSuccess(
    await user.api.post('/submessage', {
      message_id: messageId,
      msg_type: 'widget',
      content: JSON.stringify(content),
    }),
  )
}

export async function furnishPeople({ owner }: TestRealm, furnished: Furnished): Promise<void> {
  const { bea, cai, open, sent, file } = furnished
  const poll = await sendTo(bea, open.id, 'lunch', '/poll Where to?\nHarbour\nPark')
  await enter(cai, poll, { type: 'vote', key: 'canned,1', vote: 1 })
  await enter(cai, poll, { type: 'new_option', option: 'Mill', idx: 1 })
  await enter(bea, poll, { type: 'vote', key: `${cai.id},1`, vote: 1 })
  await enter(bea, poll, { type: 'question', question: 'Where to eat?' })
  const todo = await sendTo(cai, open.id, 'lunch', '/todo Before noon\nlock up: and the boats')
  await enter(bea, todo, { type: 'new_task', key: 2, task: 'bread', desc: '', completed: false })
  await enter(owner, todo, { type: 'strike', key: `2,${bea.id}` })
  const drafts = [
    {
      type: 'stream',
      to: [open.id],
      topic: 'engine',
      content: `ask @**Cai Cole|${cai.id}** and see [plan](${file})`,
    },
    { type: 'private', to: [cai.id, owner.id], topic: '', content: 'for two', timestamp: 1_700_000_000.125 },
    { type: '', to: [], topic: '', content: 'for nobody yet' },
  ]
  expectSuccess(await bea.api.post('/drafts', { drafts }))
  const scheduled = [
    { type: 'channel', to: open.id, topic: 'engine', content: `tomorrow, see [plan](${file})` },
    { type: 'direct', to: [bea.id], content: 'only later' },
    { type: 'direct', to: [cai.id], content: 'to myself' },
  ]
  for (const [at, message] of scheduled.entries()) {
    expectSuccess(
      await cai.api.post('/scheduled_messages', {
        ...message,
        scheduled_delivery_timestamp: later(DAY + at),
      }),
    )
  }
  expectSuccess(
    await bea.api.post('/reminders', {
      message_id: sent.direct,
      scheduled_delivery_timestamp: later(2 * DAY),
      note: 'answer',
    }),
  )
  for (const [fragment, name] of [
    ['narrow/is/starred', undefined],
    [`narrow/channel/${open.id}-boats/topic/engine/with/${sent.first}`, 'Engine'],
    [`narrow/dm/${cai.id},${owner.id}-group`, 'Both'],
  ] as const) {
    expectSuccess(
      await bea.api.post('/navigation_views', { fragment, is_pinned: true, ...(name ? { name } : {}) }),
    )
  }
  const settings = {
    color_scheme: 2,
    web_home_view: 'all_messages',
    enable_sounds: false,
    send_read_receipts: false,
    default_language: 'de',
    email_notifications_batching_period_seconds: 600,
  }
  expectSuccess(await cai.api.patch('/settings', settings))
  const pins = `/streams/${open.id}/pins`
  expectSuccess(await owner.api.post(pins, { message_id: sent.first }))
  expectSuccess(await owner.api.post(pins, { topic: 'engine' }))
  expectSuccess(await bea.api.post('/users/me/status', { status_text: 'At sea', emoji_name: 'boat' }))
  expectSuccess(await cai.api.post('/users/me/status', { emoji_name: 'tick' }))
  expectSuccess(await bea.api.post('/saved_snippets', { title: 'Hi', content: 'Good **day**' }))
}

/** Gives the organization settings and permissions of all kinds, as its owner would. */
export async function furnishRules(
  { owner }: TestRealm,
  { bea, cai, open, hidden }: Furnished,
): Promise<void> {
  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  const ops = (user_groups as { id: number; name: string }[]).find(({ name }) => name === 'ops')!.id
  const roles = Object.fromEntries(
    (user_groups as { id: number; name: string }[]).map(({ id, name }) => [name, id]),
  )
  const list = (members: number[], groups: number[]) => ({
    direct_members: members,
    direct_subgroups: groups,
  })
  const { group_id: crew } = expectSuccess(
    await owner.api.post('/user_groups/create', {
      name: 'crew',
      description: 'All hands',
      members: [cai.id],
      subgroups: [ops],
      can_mention_group: list([bea.id], [ops]),
      can_join_group: roles['role:members'],
    }),
  )
  const { group_id: former } = expectSuccess(
    await owner.api.post('/user_groups/create', { name: 'former', description: 'Gone', members: [bea.id] }),
  )
  expectSuccess(await owner.api.post(`/user_groups/${former}/deactivate`))
  expectSuccess(
    await owner.api.patch(`/streams/${open.id}`, {
      topics_policy: 'disable_empty_topic',
      message_retention_days: 90,
      can_send_message_group: { new: list([bea.id, cai.id], [crew]) },
      can_remove_subscribers_group: { new: roles['role:moderators'] },
    }),
  )
  expectSuccess(
    await owner.api.patch(`/streams/${hidden.id}`, {
      can_administer_channel_group: { new: list([owner.id], [ops]) },
      can_send_message_group: { new: crew },
    }),
  )
  const chosen = (property: string, value: boolean) => ({ stream_id: open.id, property, value })
  expectSuccess(
    await cai.api.post('/users/me/subscriptions/properties', {
      subscription_data: [chosen('push_notifications', true), chosen('wildcard_mentions_notify', false)],
    }),
  )
  expectSuccess(
    await owner.api.patch('/realm', {
      description: 'Of **boats**',
      invite_required: false,
      message_content_edit_limit_seconds: 'unlimited',
      message_content_delete_limit_seconds: 3_600,
      waiting_period_threshold: 3,
      topics_policy: 'disable_empty_topic',
      default_language: 'de',
      new_stream_announcements_stream_id: open.id,
      can_create_groups: { new: list([bea.id], [crew]) },
      can_invite_users_group: { new: roles['role:moderators'] },
      direct_message_permission_group: { new: crew },
    }),
  )
  expectSuccess(
    await owner.api.post('/realm/domains', { domain: 'boats.example.com', allow_subdomains: true }),
  )
  expectSuccess(
    await owner.api.post('/default_stream_groups/create', {
      group_name: 'Sailors',
      description: 'For all on board',
      stream_names: [open.name],
    }),
  )
  expectSuccess(
    await owner.api.patch('/realm/user_settings_defaults', {
      color_scheme: 3,
      email_address_visibility: 3,
      enable_digest_emails: false,
    }),
  )
  expectSuccess(
    await owner.api.post('/realm/filters', {
      pattern: 'boat-(?P<id>[0-9]+)',
      url_template: 'https://boats.example.com/{id}',
      example_input: 'boat-7',
      reverse_template: 'boat-{id}',
      alternative_url_templates: ['https://old.example.com/{id}'],
    }),
  )
  expectSuccess(
    await owner.api.post('/realm/profile_fields', {
      name: 'Code',
      hint: 'Account',
      field_type: 7,
      field_data: JSON.stringify({ subtype: 'github' }),
      required: true,
      editable_by_user: false,
      display_in_profile_summary: true,
    }),
  )
  expectSuccess(await postFiles(owner, '/realm/logo', [{ name: 'logo.png', ...PNG }], { night: 'true' }))
  expectSuccess(await postFiles(owner, '/users/me/avatar', [{ name: 'me.png', ...PNG }]))
}
