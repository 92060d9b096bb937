import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiResponse, ParameterValue } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot, changeRealm, inRealm } from '../../support/inside.ts'
import { QUOTAS } from '../../support/limits.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const organization = useRealm(
  { member: 'member', other: 'member' },
  { channels: { channel: ['owner', 'member', 'other'] } },
)
const { realm, member, other, channel } = organization
let messageId: number
beforeAll(async () => {
  const sent = await member.api.post('/messages', {
    type: 'channel',
    to: channel.id,
    topic: 'a',
    content: 'a',
  })
  messageId = expectSuccess(sent).id
})

const later = () => Math.floor(Date.now() / 1_000) + 3_600
const draft = (content: string) => ({ drafts: [{ type: '', to: [], topic: '', content }] }) as const

interface Case {
  /** The name of the quota in the setting QUOTAS. */
  readonly kind: string
  readonly what: string
  /** Creates one thing; `mark`, of up to 100 characters, makes it unique. */
  readonly make: (user: TestUser, mark: string) => Promise<ApiResponse>
  readonly byOwner?: true
  /** Texts whose bytes count. */
  readonly hasText?: true
}

const post = (path: string, params: (mark: string) => Readonly<Record<string, ParameterValue>>) => {
  return (user: TestUser, mark: string) => user.api.post(path, params(mark))
}

const CASES: readonly Case[] = [
  { kind: 'drafts', what: 'drafts', make: post('/drafts', draft), hasText: true },
  {
    kind: 'snippets',
    what: 'saved snippets',
    make: post('/saved_snippets', (content) => ({ title: 'x', content })),
    hasText: true,
  },
  {
    kind: 'scheduled',
    what: 'scheduled messages',
    make: post('/scheduled_messages', (content) => ({
      type: 'channel',
      to: channel.id,
      topic: 'a',
      content,
      scheduled_delivery_timestamp: later(),
    })),
    hasText: true,
  },
  {
    kind: 'reminders',
    what: 'reminders',
    make: post('/reminders', (note) => ({
      message_id: messageId,
      note,
      scheduled_delivery_timestamp: later(),
    })),
    hasText: true,
  },
  {
    kind: 'alertWords',
    what: 'alert words',
    make: post('/users/me/alert_words', (word) => ({ alert_words: [word] })),
    hasText: true,
  },
  {
    kind: 'topicSettings',
    what: 'topics with a setting',
    make: post('/user_topics', (mark) => ({
      stream_id: channel.id,
      topic: mark.slice(0, 60),
      visibility_policy: 3,
    })),
  },
  {
    kind: 'views',
    what: 'navigation views',
    make: post('/navigation_views', (mark) => ({ fragment: `narrow/${mark}`, is_pinned: true, name: 'x' })),
    hasText: true,
  },
  {
    kind: 'bots',
    what: 'bots',
    make: post('/bots', (mark) => ({
      full_name: `Bot ${mark.slice(0, 20)}`,
      short_name: mark.slice(0, 20),
      bot_type: '1',
    })),
  },
  {
    kind: 'channels',
    what: 'channels',
    make: post('/channels/create', (mark) => ({
      name: mark.slice(0, 40),
      description: mark,
      subscribers: [],
    })),
    hasText: true,
  },
  {
    kind: 'groups',
    what: 'user groups',
    make: post('/user_groups/create', (mark) => ({
      name: mark.slice(0, 40),
      description: mark,
      members: [],
    })),
    hasText: true,
  },
  {
    kind: 'invitations',
    what: 'invitations',
    make: post('/invites/multiuse', () => ({ invite_expires_in_minutes: 10 })),
    byOwner: true,
  },
  {
    kind: 'pushTokens',
    what: 'push devices',
    make: post('/users/me/android_gcm_reg_id', (token) => ({ token })),
    hasText: true,
  },
  {
    kind: 'folders',
    what: 'channel folders',
    make: post('/channel_folders/create', (mark) => ({ name: mark.slice(0, 40), description: mark })),
    byOwner: true,
    hasText: true,
  },
  {
    kind: 'linkifiers',
    what: 'linkifiers',
    make: post('/realm/filters', (mark) => ({ pattern: mark, url_template: 'https://example.com' })),
    byOwner: true,
    hasText: true,
  },
  {
    kind: 'playgrounds',
    what: 'code playgrounds',
    make: post('/realm/playgrounds', (mark) => ({
      name: mark.slice(0, 50),
      pygments_language: 'Python',
      url_template: 'https://example.com/{code}',
    })),
    byOwner: true,
    hasText: true,
  },
  {
    kind: 'profileFields',
    what: 'custom profile fields',
    make: post('/realm/profile_fields', (mark) => ({
      name: mark.slice(0, 40),
      hint: mark.slice(0, 60),
      field_type: 1,
    })),
    byOwner: true,
    hasText: true,
  },
  {
    kind: 'domains',
    what: 'domains',
    make: post('/realm/domains', (mark) => ({
      domain: `${mark.slice(0, 40)}.example`,
      allow_subdomains: false,
    })),
    byOwner: true,
    hasText: true,
  },
  {
    kind: 'defaultGroups',
    what: 'default channel groups',
    make: post('/default_stream_groups/create', (mark) => ({
      group_name: mark.slice(0, 40),
      description: mark,
      stream_names: [],
    })),
    byOwner: true,
    hasText: true,
  },
]

let marks = 0

/** Returns a text that is used nowhere else. */
const mark = (length = 10) => {
  marks += 1
  return `m${marks}`.padEnd(length, 'x')
}

const expectRefused = (response: ApiResponse, msg: string) =>
  expect(response).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } })

describe('quotas of an account', () => {
  // Each test has an account that has used nothing of its quotas.
  const { member } = usePerTest(organization, { member: 'member' })
  beforeEach(async () => {
    expectSuccess(
      await realm.owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: [member.id],
      }),
    )
  })

  it.each(CASES.filter(({ byOwner }) => !byOwner))(
    'limit the number of $what, separately for each account',
    async (each) => {
      world.settings = { QUOTAS: `${each.kind}/account=2` }
      expectSuccess(await each.make(member, mark()))
      expectSuccess(await each.make(member, mark()))
      expectRefused(await each.make(member, mark()), `One account cannot have more than 2 ${each.what}.`)
      expectSuccess(await each.make(realm.owner, mark()))
    },
  )

  it.each(CASES.filter(({ byOwner, hasText, kind }) => !byOwner && hasText && kind !== 'pushTokens'))(
    'limit the total size of $what',
    async (each) => {
      world.settings = { QUOTAS: `${each.kind}/accountBytes=2000` }
      let refused: ApiResponse | undefined
      for (let tries = 0; tries < 40 && !refused; tries += 1) {
        const response = await each.make(member, mark(99))
        if (response.status !== 200) refused = response
      }
      expectRefused(refused!, `The ${each.what} of one account are too large together (limit: 2000 bytes).`)
    },
  )

  it('let existing things be read, made smaller and deleted', async () => {
    const ids: number[] = []
    for (const content of ['a'.repeat(500), 'b'.repeat(500)]) {
      ids.push(expectSuccess(await member.api.post('/drafts', draft(content))).ids[0])
    }
    world.settings = { QUOTAS: 'drafts/account=1 drafts/accountBytes=300' }
    const edit = (content: string) =>
      member.api.patch(`/drafts/${ids[0]}`, { draft: { type: '', to: [], topic: '', content } })
    expectRefused(
      await edit('c'.repeat(501)),
      'The drafts of one account are too large together (limit: 300 bytes).',
    )
    expect(expectSuccess(await member.api.get('/drafts')).drafts).toMatchObject([
      { content: 'a'.repeat(500) },
      { content: 'b'.repeat(500) },
    ])
    expectSuccess(await edit('c'.repeat(400)))
    expectSuccess(await member.api.delete(`/drafts/${ids[1]}`))
    expectSuccess(await member.api.delete(`/drafts/${ids[0]}`))
    expectSuccess(await member.api.post('/drafts', draft('d')))
  })

  it('apply to several things in one request, all or nothing', async () => {
    world.settings = { QUOTAS: 'drafts/account=2' }
    const three = { drafts: ['a', 'b', 'c'].flatMap((content) => draft(content).drafts) }
    expectRefused(await member.api.post('/drafts', three), 'One account cannot have more than 2 drafts.')
    expect(expectSuccess(await member.api.get('/drafts')).drafts).toEqual([])
  })

  it('do not limit administrators in what they create for everybody', async () => {
    world.settings = { QUOTAS: 'groups/account=1' }
    const make = post('/user_groups/create', (name) => ({ name, description: '', members: [] }))
    for (const _ of [1, 2, 3]) expectSuccess(await make(realm.owner, mark()))
  })

  it('limit members of all groups one account created, whoever adds them', async () => {
    world.settings = { QUOTAS: 'groupMembers/account=2 subgroups/account=1' }
    const make = (name: string, members: number[], subgroups: number[] = []) =>
      member.api.post('/user_groups/create', { name, description: '', members, subgroups })
    const { group_id: first } = expectSuccess(await make(mark(), [member.id]))
    const { group_id: second } = expectSuccess(await make(mark(), [member.id], [first]))
    const refusal = 'One account cannot have more than 2 members of user groups.'
    expectRefused(await make(mark(), [member.id]), refusal)
    expectRefused(await member.api.post(`/user_groups/${second}/members`, { add: [other.id] }), refusal)
    expectRefused(await make(mark(), [], [first]), 'One account cannot have more than 1 subgroups.')
    expectSuccess(await member.api.post(`/user_groups/${second}/members`, { delete: [member.id] }))
    expectSuccess(await member.api.post(`/user_groups/${second}/members`, { add: [other.id] }))
  })

  it('apply to a changed description as to a new one', async () => {
    const { group_id } = expectSuccess(
      await member.api.post('/user_groups/create', { name: mark(), description: '', members: [] }),
    )
    world.settings = { QUOTAS: 'groups/accountBytes=1000' }
    expectRefused(
      await member.api.patch(`/user_groups/${group_id}`, { description: 'é'.repeat(600) }),
      'The user groups of one account are too large together (limit: 1000 bytes).',
    )
  })

  it('limit the size of profile data', async () => {
    const { id } = expectSuccess(
      await realm.owner.api.post('/realm/profile_fields', { name: mark(), field_type: 2 }),
    )
    world.settings = { QUOTAS: 'profiles/accountBytes=200' }
    const say = (value: string) => member.api.patch('/users/me/profile_data', { data: [{ id, value }] })
    expectSuccess(await say('x'.repeat(20)))
    expectRefused(
      await say('x'.repeat(300)),
      'The values in profiles of one account are too large together (limit: 200 bytes).',
    )
  })

  it('limit muted users', async () => {
    world.settings = { QUOTAS: 'mutedUsers/account=1' }
    expectSuccess(await member.api.post(`/users/me/muted_users/${other.id}`))
    expectRefused(
      await member.api.post(`/users/me/muted_users/${realm.owner.id}`),
      'One account cannot have more than 1 muted users.',
    )
  })

  it('limit what a bot stores', async () => {
    const bot = await buildBot(realm, member)
    world.settings = { QUOTAS: 'botStorage/account=2' }
    expectSuccess(await bot.api.request('PUT', '/bot_storage', { storage: { a: '1', b: '2' } }))
    expectSuccess(await bot.api.request('PUT', '/bot_storage', { storage: { a: '3', b: '4' } }))
    expectRefused(
      await bot.api.request('PUT', '/bot_storage', { storage: { c: '5' } }),
      'One account cannot have more than 2 stored keys.',
    )
  })

  it('never prevent sending: the topic is just not followed', async () => {
    expectSuccess(await member.api.patch('/settings', { automatically_follow_topics_policy: 1 }))
    const send = async (topic: string) =>
      expectSuccess(
        await member.api.post('/messages', { type: 'channel', to: channel.id, topic, content: 'x' }),
      ).automatic_new_visibility_policy
    expect(await send('first')).toBe(3)
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE number(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < ?3)
         INSERT INTO user_topic SELECT ?1, ?2, 'n' || n, 'n' || n, 3, 0 FROM number`,
        member.id,
        channel.id,
        QUOTAS.topicSettings.account,
      ),
    )
    expect(await send('second')).toBeUndefined()
    expectRefused(
      await member.api.post('/user_topics', { stream_id: channel.id, topic: 'third', visibility_policy: 1 }),
      'One account cannot have more than 10000 topics with a setting.',
    )
  })
})

describe('quotas of an organization', () => {
  it.each(CASES)('limit the number of $what, whoever creates them', async (each) => {
    const { count: present } = await useOf(each.kind)
    world.settings = { QUOTAS: `${each.kind}/organization=${present + 1}` }
    expectSuccess(await each.make(realm.owner, mark()))
    expectRefused(
      await each.make(each.byOwner ? realm.owner : member, mark()),
      `An organization cannot have more than ${present + 1} ${each.what}.`,
    )
  })

  it.each(CASES.filter(({ hasText }) => hasText))(
    'limit the total size of $what, whoever creates them',
    async (each) => {
      const { bytes } = await useOf(each.kind)
      world.settings = { QUOTAS: `${each.kind}/organizationBytes=${bytes}` }
      expectRefused(
        await each.make(realm.owner, mark()),
        `The ${each.what} of an organization are too large together (limit: ${bytes} bytes).`,
      )
    },
  )

  it('limit accounts', async () => {
    world.settings = { QUOTAS: 'accounts/organization=1' }
    const response = await realm.owner.api.post('/users', {
      email: `new@${realm.host}`,
      password: 'a fine password',
      full_name: 'New',
    })
    expectRefused(response, 'An organization cannot have more than 1 accounts.')
  })
})

/** Returns what the organization has of a kind. */
function useOf(kind: string): Promise<{ count: number; bytes: number }> {
  return inRealm(
    realm,
    ({ parts: { sql } }) =>
      sql.first<{ count: number; bytes: number }>(
        'SELECT count, bytes FROM quota_use WHERE kind = ? AND account_id = 0',
        kind,
      ) ?? { count: 0, bytes: 0 },
  )
}
