import { describe, expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import { publicServerReader } from '../../src/imports/public-server-reader.ts'
import { mentionOf, referenceTo } from '../../src/imports/references.ts'
import { readArchive } from './read-archive.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

const reader = publicServerReader as ImportReader

const user = (id: number, more: object = {}) => ({
  id,
  full_name: `Person ${id}`,
  delivery_email: `p${id}@example.com`,
  role: 400,
  is_active: true,
  is_bot: false,
  date_joined: 1_500_000_000.5,
  ...more,
})
const message = (id: number, more: object = {}) => ({
  id,
  sender: 7,
  recipient: 21,
  subject: 'tea',
  content: `m${id}`,
  date_sent: 1_600_000_000 + id / 1_000,
  rendered_content: null,
  ...more,
})

const REALM = {
  zerver_realm: [
    { id: 2, string_id: 'acme', name: 'Acme', description: 'All', new_stream_announcements_stream: 5 },
  ],
  zerver_userprofile: [user(7, { role: 100, avatar_source: 'U', timezone: 'Europe/Paris' }), user(8)],
  zerver_userprofile_mirrordummy: [user(9, { is_mirror_dummy: true, is_active: false })],
  zerver_stream: [
    {
      id: 5,
      name: 'general',
      description: 'd',
      invite_only: false,
      is_web_public: false,
      deactivated: false,
      folder: 1,
      date_created: 1.5e9,
      creator: 7,
    },
    { id: 6, name: 'board', invite_only: true, history_public_to_subscribers: false, deactivated: true },
  ],
  zerver_defaultstream: [{ stream: 5 }],
  zerver_channelfolder: [{ id: 1, name: 'Work', description: '' }],
  zerver_namedusergroup: [
    { usergroup_ptr: 40, name: 'ops', description: '', is_system_group: false },
    { usergroup_ptr: 41, name: 'role:owners', is_system_group: true },
    { usergroup_ptr: 42, name: 'all-ops', description: '', is_system_group: false },
  ],
  zerver_groupgroupmembership: [{ supergroup: 42, subgroup: 40 }],
  zerver_usergroupmembership: [{ user_group: 40, user_profile: 8 }],
  zerver_subscription: [
    { recipient: 21, user_profile: 7, active: true, color: '#ff0000', is_muted: true, pin_to_top: true },
    { recipient: 21, user_profile: 8, active: false },
    { recipient: 23, user_profile: 7, active: true },
    { recipient: 23, user_profile: 8, active: true },
    { recipient: 23, user_profile: 9, active: true },
  ],
  zerver_recipient: [
    { id: 21, type: 2, type_id: 5 },
    { id: 22, type: 1, type_id: 8 },
    { id: 23, type: 3, type_id: 1 },
  ],
  zerver_reaction: [
    { message: 1, user_profile: 8, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    { message: 1, user_profile: 7, emoji_name: 'parrot', emoji_code: '3', reaction_type: 'realm_emoji' },
  ],
  zerver_customprofilefield: [{ id: 3, name: 'Team', field_type: 2, hint: 'h' }],
  zerver_customprofilefieldvalue: [{ user_profile: 8, field: 3, value: 'Sea' }],
  zerver_usertopic: [{ user_profile: 7, stream: 5, topic_name: 'tea', visibility_policy: 3 }],
  zerver_alertword: [{ user_profile: 7, word: 'ship' }],
  zerver_muteduser: [{ user_profile: 7, muted_user: 9 }],
  zerver_savedsnippet: [{ id: 1, user_profile: 7, title: 't', content: 'c' }],
  zerver_realmfilter: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' }],
  zerver_realmauditlog: [{ id: 1 }],
  zerver_future: [{ id: 1 }, { id: 2 }],
  import_source: 'zulip',
}

function archive(messages: object, files: Readonly<Record<string, string>> = {}) {
  const all = {
    'realm.json': JSON.stringify(REALM),
    'attachment.json': JSON.stringify({
      zerver_attachment: [
        {
          path_id: '2/ab/cd/a.png',
          file_name: 'a.png',
          owner: 7,
          content_type: 'image/png',
          create_time: 1.6e9,
        },
        { path_id: '2/ab/cd/gone.png', file_name: 'gone.png' },
      ],
    }),
    'messages-000001.json': JSON.stringify(messages),
    'uploads/2/ab/cd/a.png': 'picture',
    'avatars/records.json': JSON.stringify([{ user_profile_id: 7, path: '2/hash.png' }]),
    'avatars/2/hash.png': 'face',
    'emoji/records.json': JSON.stringify([{ name: 'parrot', path: '2/emoji/images/3.png' }]),
    'emoji/2/emoji/images/3.png': 'bird',
    ...files,
  }
  return archiveOf(
    tarOf(Object.fromEntries(Object.entries(all).map(([name, text]) => [`zulip-export-x/${name}`, text]))),
  )
}

const read = (messages: object, files?: Readonly<Record<string, string>>) =>
  readArchive(reader, archive(messages, files))

describe('An export of the public server', () => {
  it('is recognised, and is of one organization', async () => {
    expect((await findReaderOf(archive({})))?.name).toBe('public_server')
    expect((await read({})).of('parley-import')).toMatchObject([{ source: 'public-server:acme' }])
    const named = { 'realm.json': JSON.stringify({ zerver_realm: [{ string_id: 'acme', uuid: 'a-b-c' }] }) }
    expect((await read({}, named)).of('parley-import')).toMatchObject([{ source: 'public-server:a-b-c' }])
  })

  it('has people, groups, channels and what they have set', async () => {
    const all = await read({})
    expect(all.of('user')).toMatchObject([
      { id: '7', role: 'owner', timezone: 'Europe/Paris', avatar: 'avatar:7', joined_ms: 1_500_000_000_500 },
      { id: '8', email: 'p8@example.com', profile: [{ field: '3', value: 'Sea' }] },
      { id: '9', deactivated: true },
    ])
    expect(all.of('channel')).toMatchObject([
      {
        id: '5',
        privacy: 'public',
        folder: '1',
        default: true,
        announce: true,
        members: [{ user: '7', color: '#ff0000', muted: true, pinned: true }],
      },
      { id: '6', privacy: 'private', history_public: false, archived: true, members: [] },
    ])
    expect(all.of('group')).toMatchObject([
      { id: '40', name: 'ops', members: ['8'] },
      { id: '42', name: 'all-ops', members: [], subgroups: ['40'] },
    ])
    expect(all.of('user_topic')).toMatchObject([
      { user: '7', channel: '5', topic: 'tea', policy: 'followed' },
    ])
    expect(all.of('emoji')).toMatchObject([{ name: 'parrot', image: 'emoji:parrot' }])
    for (const type of [
      'channel_folder',
      'alert_word',
      'muted_user',
      'saved_snippet',
      'linkifier',
      'profile_field',
      'organization',
    ] as const) {
      expect(all.of(type)).toHaveLength(1)
    }
    expect(all.problems()).toEqual({ 'file is not in the archive': 1, 'left out: zerver_future': 1 })
  })

  it('has permissions of channels and groups, and what subscribers are notified of', async () => {
    const realm = {
      ...REALM,
      zerver_usergroup: [40, 41, 42, 50, 51].map((id) => ({ id })),
      zerver_namedusergroup: [
        { usergroup_ptr: 40, name: 'ops', is_system_group: false, can_mention_group: 41 },
        { usergroup_ptr: 41, name: 'role:owners', is_system_group: true },
      ],
      zerver_usergroupmembership: [{ user_group: 50, user_profile: 8 }],
      zerver_groupgroupmembership: [{ supergroup: 50, subgroup: 41 }],
      zerver_subscription: [
        {
          ...{ recipient: 21, user_profile: 7, active: true },
          ...{ push_notifications: true, email_notifications: false, desktop_notifications: null },
        },
      ],
      zerver_stream: [
        {
          ...{ id: 5, name: 'general', can_send_message_group: 41, can_administer_channel_group: 50 },
          ...{ can_subscribe_group: 51, can_add_subscribers_group: 40, can_remove_subscribers_group: 99 },
        },
      ],
    }
    const all = await read({}, { 'realm.json': JSON.stringify(realm) })
    expect(all.of('channel')[0]).toMatchObject({
      permissions: {
        can_send_message_group: { groups: ['role:owners'] },
        can_administer_channel_group: { groups: ['role:owners'], users: ['8'] },
        can_subscribe_group: { groups: ['role:nobody'] },
        can_add_subscribers_group: { groups: ['40'] },
      },
      members: [{ user: '7', notifications: { push: true, email: false } }],
    })
    expect(all.of('channel')[0]!.permissions).not.toHaveProperty('can_remove_subscribers_group')
    expect(all.of('group')).toMatchObject([
      { id: '40', permissions: { can_mention_group: { groups: ['role:owners'] } } },
    ])
    expect(all.problems()).not.toHaveProperty('left out: zerver_usergroup')
  })

  it('has settings of the organization, its channels and its people', async () => {
    const personal = { enter_sends: true, resolved_topic_notice_auto_read_policy: 3, default_language: 'de' }
    const realm = {
      ...REALM,
      zerver_realm: [
        {
          ...{
            id: 2,
            string_id: 'acme',
            name: 'Acme',
            description: 'All',
            uuid_owner_secret: 'x',
            plan_type: 1,
          },
          ...{ message_retention_days: -1, message_content_edit_limit_seconds: null, topics_policy: 3 },
          ...{ new_stream_announcements_stream: 5, signup_announcements_stream: null },
          ...{ can_create_groups: 41, can_invite_users_group: 99, icon_source: 'U', logo_source: 'D' },
        },
      ],
      zerver_userprofile: [
        user(7, { ...personal, tos_version: '1' }),
        user(8, { is_bot: true, ...personal }),
        user(9, { is_mirror_dummy: true, ...personal }),
      ],
      zerver_realmuserdefault: [{ id: 1, realm: 2, ...personal, enter_sends: false }],
      zerver_realmdomain: [{ domain: 'acme.example', allow_subdomains: true }],
      zerver_stream: [{ id: 5, name: 'general', topics_policy: 4, message_retention_days: 30 }],
      zerver_customprofilefield: [
        { id: 3, name: 'Boat', field_type: 3, field_data: '{"a": {"text": "Yawl", "order": "1"}}' },
      ],
      zerver_customprofilefieldvalue: [{ user_profile: 7, field: 3, value: 'a' }],
      zerver_navigationview: [{ user_profile: 7, fragment: 'narrow/channel/5-general', is_pinned: true }],
    }
    const pictures = { 'realm_icons/2/icon.original': 'raw', 'realm_icons/2/icon.png': 'pixels' }
    const all = await read(
      {},
      { 'realm.json': JSON.stringify(realm), ...pictures, 'realm_icons/2/logo.png': 'l' },
    )
    expect(all.of('organization')).toEqual([
      { type: 'organization', name: 'Acme', description: 'All', icon: 'icon' },
    ])
    const icon = all.of('file').find(({ id }) => id === 'icon')
    expect(icon?.path).toMatch(/realm_icons\/2\/icon\.png@/)
    expect(all.of('realm_setting').map(({ name, value }) => [name, value])).toEqual([
      ['message_retention_days', -1],
      ['message_content_edit_limit_seconds', null],
      ['topics_policy', 'disable_empty_topic'],
      ['new_stream_announcements_stream_id', { channel: '5' }],
      ['signup_announcements_stream_id', null],
      ['can_create_groups', { groups: ['role:owners'] }],
    ])
    const words = { resolved_topic_notice_auto_read_policy: 'never', default_language: 'de' }
    expect(all.of('default_setting').map(({ name, value }) => [name, value])).toEqual(
      Object.entries({ enter_sends: false, ...words }),
    )
    expect(all.of('user_settings')).toEqual([
      { type: 'user_settings', user: '7', settings: { enter_sends: true, ...words } },
    ])
    expect(all.of('domain')).toMatchObject([{ domain: 'acme.example', subdomains: true }])
    expect(all.of('channel')).toMatchObject([{ topics_policy: 'empty_topic_only', retention_days: 30 }])
    expect(all.of('profile_field')).toMatchObject([{ kind: 'choice', data: expect.stringContaining('Yawl') }])
    expect(all.of('user')[0]).toMatchObject({ profile: [{ field: '3', value: 'Yawl' }] })
    expect(all.of('navigation_view')).toMatchObject([
      { user: '7', fragment: `narrow/channel/${referenceTo('channel', '5')}-general`, pinned: true },
    ])
  })

  it('has messages and reminders to be sent, and outgoing webhooks', async () => {
    const due = (id: number, recipient: number, more: object = {}) => ({
      ...{ id, sender: 7, recipient, subject: 'tea', content: `c${id}`, scheduled_timestamp: 2e9 },
      ...more,
    })
    const realm = {
      ...REALM,
      zerver_userprofile: [
        user(7),
        user(8, { is_bot: true, bot_type: 3, full_name: 'Hook' }),
        user(9, { is_bot: true, bot_type: 2, full_name: 'Posts' }),
      ],
      zerver_scheduledmessage: [
        due(1, 21, { content: '[a](/user_uploads/2/ab/cd/a.png) @**Ben|8**', failed: true }),
        due(2, 22),
        due(3, 23),
        due(4, 21, { delivered: true }),
        due(5, 22, { delivery_type: 2, reminder_target_message_id: 12, reminder_note: 'call' }),
        due(6, 22, { delivery_type: 2 }),
        due(7, 99),
      ],
      zerver_service: [
        { user_profile: 8, base_url: 'https://ci.example/hook?of=team', interface: 2, token: 'abc' },
        { user_profile: 8, base_url: 'https://ci.example/second', interface: 1, token: 'def' },
      ],
    }
    const all = await read({}, { 'realm.json': JSON.stringify(realm) })
    const own = { user: '7', due_ms: 2e12 }
    const file = referenceTo('file', '2/ab/cd/a.png')
    expect(all.of('scheduled_message')).toMatchObject([
      {
        ...{ id: '1', ...own, channel: '5', topic: 'tea', failed: true },
        content: `[a](${file}) ${mentionOf('8', false)}`,
      },
      { id: '2', ...own, to: ['8'], failed: false },
      { id: '3', ...own, to: ['8', '9'] },
    ])
    expect(all.of('reminder')).toMatchObject([{ id: '5', ...own, message: '12', note: 'call' }])
    expect(all.problems()).toMatchObject({ 'left out: reminder': 1, 'bad row': 1 })
    const first = all.of('user').slice(0, 3)
    expect(first.map(({ bot_kind, webhook }) => [bot_kind, webhook])).toEqual([
      [undefined, undefined],
      ['outgoing_webhook', { url: 'https://ci.example/hook?of=team', format: 'form', token: 'abc' }],
      ['incoming_webhook', undefined],
    ])
  })

  it('holds messages to be sent up to eight million characters of rows', async () => {
    const due = (id: number) => ({
      ...{ id, sender: 7, recipient: 21, subject: 'tea', scheduled_timestamp: 2e9 },
      content: 'x'.repeat(900_000),
    })
    const zerver_scheduledmessage = Array.from({ length: 10 }, (_, at) => due(at + 1))
    const all = await read({}, { 'realm.json': JSON.stringify({ ...REALM, zerver_scheduledmessage }) })
    expect(all.of('scheduled_message').map(({ id }) => id)).toEqual('1 2 3 4 5 6 7 8'.split(' '))
    expect(all.problems()).toMatchObject({ 'no room for more rows: zerver_scheduledmessage': 2 })
  })

  it('has messages with reactions, stars, edits, and who has not read them', async () => {
    const all = await read({
      zerver_message: [
        message(1, {
          last_edit_time: 1_600_000_100,
          edit_history: JSON.stringify([
            { user_id: 7, timestamp: 1_600_000_100, prev_content: 'old', prev_subject: 'coffee' },
            { user_id: 8, timestamp: 1_600_000_050, prev_topic: 'milk', prev_stream: 6, stream: 5 },
          ]),
        }),
        message(2, { recipient: 22, subject: '\u0007' }),
        message(3, { recipient: 23, sender: 9 }),
        message(4, { recipient: 99 }),
        message(5, { date_sent: null }),
      ],
      zerver_usermessage: [
        { message: 1, user_profile: 8, flags_mask: 2 },
        { message: 1, user_profile: 7, flags_mask: 1 },
        { message: 2, user_profile: 8, flags_mask: 0 },
      ],
    })
    expect(all.of('message')).toMatchObject([
      {
        id: '1',
        channel: '5',
        topic: 'tea',
        edited_ms: 1_600_000_100_000,
        edits: [
          { time_ms: 1_600_000_100_000, user: '7', content: 'old', topic: 'coffee' },
          { time_ms: 1_600_000_050_000, user: '8', topic: 'milk', channel: '6' },
        ],
        reactions: [
          { user: '8', emoji: '+1', code: '1f44d', kind: 'unicode' },
          { user: '7', emoji: 'parrot', kind: 'custom' },
        ],
        starred_by: ['8'],
        unread_by: ['8'],
      },
      { id: '2', to: ['8', '7'], unread_by: ['8'] },
      { id: '3', to: ['7', '8', '9'] },
    ])
    expect(all.problems()).toMatchObject({ 'message without a place': 1, 'bad message': 1 })
  })

  it('has texts that follow what they name, outside code', async () => {
    const text = async (content: string) =>
      (await read({ zerver_message: [message(1, { content })] })).contents()[0]
    expect(await text('@**Ada|7** @_**Ben|8** @**Ada**')).toBe(
      `${mentionOf('7', false)} ${mentionOf('8')} @**Ada**`,
    )
    expect(await text('[a](/user_uploads/2/ab/cd/a.png)')).toBe(
      `[a](${referenceTo('file', '2/ab/cd/a.png')})`,
    )
    expect(await text('[a](https://acme.example.org/user_uploads/2/ab/cd/a.png)')).toContain(
      'parley-import:file',
    )
    expect(await text('[a](https://evil.example/user_uploads/2/ab/cd/a.png)')).toContain('evil.example')
    expect(await text('[b](/user_uploads/2/xx/none.png)')).toBe('[b](/user_uploads/2/xx/none.png)')
    expect(await text('#**general>tea@12**')).toBe(`[#general &gt; tea](${referenceTo('message', '12')})`)
    expect(await text('[x](#narrow/channel/5-general/topic/tea/near/12)')).toBe(
      `[x](${referenceTo('message', '12')})`,
    )
    expect(await text('[x](/#narrow/stream/5-general)')).toBe(`[x](${referenceTo('channel', '5')})`)
    for (const narrow of ['dm/7,8-group/near/12', 'stream/5-general/topic/tea/with/12', 'id/12'])
      for (const origin of ['', '/', 'https://acme.example.org/'])
        expect(await text(`[x](${origin}#narrow/${narrow})`)).toBe(`[x](${referenceTo('message', '12')})`)
    for (const view of [
      'narrow/dm/8-Ben',
      'narrow/pm-with/8-ben',
      'narrow/dm/8',
      'user/8',
      'narrow/sender/8-Ben',
    ])
      expect(await text(`[x](#${view})`)).toBe(`[x](${referenceTo('user', '8')})`)
    for (const narrow of ['dm/7,8-group', 'pm-with/7,8-group', 'dm/7%2C8', 'dm/7,8/is/starred'])
      expect(await text(`[x](#narrow/${narrow})`)).toBe(`[x](${referenceTo('conversation', '7,8')})`)
    for (const view of ['channels/5/general/personal', 'streams/5', 'narrow/channel/5-general/topic/tea'])
      expect(await text(`[x](/#${view})`)).toBe(`[x](${referenceTo('channel', '5')})`)
    expect(await text('![a](/user_uploads/thumbnail/2/ab/cd/a.png)')).toBe(
      `![a](${referenceTo('file', '2/ab/cd/a.png')})`,
    )
    const address = 'https://acme.example.org/#narrow/channel/5-general/topic/tea/near/12'
    const link = `[${address}](${referenceTo('message', '12')})`
    expect(await text(`${address}. (${address}), see ${address}`)).toBe(`${link}. (${link}), see ${link}`)
    for (const kept of [
      `\`${address}\``,
      `[see ${address} there](https://x.example)`,
      `[see ${address}?${'a'.repeat(400)}](https://x.example)`,
      `[see ${'a'.repeat(280)} ${address}](https://x.example)`,
      'https://acme.example.org/#inbox',
    ])
      expect(await text(kept)).toBe(kept)
    expect(await text('```\n@**Ada|7**\n```')).toBe('```\n@**Ada|7**\n```')
    expect(await text('```quote\n@**Ada|7**\n```')).toContain(mentionOf('7', false))
    const after = ' @**Ada|7** [x](/#narrow/id/8)'
    const there = ` ${mentionOf('7', false)} [x](${referenceTo('message', '8')})`
    for (const [code, same] of [
      ['```quote\na\n```\n', true],
      ['```` quote\n```spoiler b\n```\n```js\nc\n```\n````\n', true],
      ['```js\n````\n```\n', true],
      ['~~~\n```\n~~~\n', true],
      ['```js\na\n````\n', false],
      ['```quote\n```js\na\n', false],
    ] as const)
      expect(await text(code + after)).toBe(code + (same ? there : after))
  })

  it('has files by their places in the archive', async () => {
    const tar = archive({})
    const file = (await readArchive(reader, tar)).of('file').find(({ id }) => id === '2/ab/cd/a.png')
    const bytes = await reader.file!(tar, file!.path!)
    expect(Buffer.from(await bytes!.read(0, bytes!.size)).toString()).toBe('picture')
  })

  it('is read on after rows that are wrong, and refused without its realm', async () => {
    const all = await read({ zerver_message: [null, 7, { id: 1 }, message(2)] })
    expect(all.contents()).toEqual(['m2'])
    await expect(readArchive(reader, archiveOf(tarOf({ 'attachment.json': '{}' })))).rejects.toThrow(
      'has no "realm.json"',
    )
  })
})
