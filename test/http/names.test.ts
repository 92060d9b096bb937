import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { buildChannel, createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, bob } = useRealm({
  ann: 'member',
  bob: { role: 'member', name: 'Jürgen Groß' },
})

type Made = (name: string) => Promise<ApiResponse>

const unseen = 'Ada\u200b'

/** What makes something of this name, and how a name with what nobody sees is refused. */
const NAMED: readonly [string, Made, string][] = [
  [
    'a person',
    (name) =>
      realm.owner.api.post('/users', {
        email: 'ada@example.com',
        password: 'a fine password',
        full_name: name,
      }),
    'Invalid characters in name!',
  ],
  [
    'one’s own name',
    (name) => ann.api.patch('/settings', { full_name: name }),
    'Invalid characters in name!',
  ],
  [
    'a bot',
    (name) => ann.api.post('/bots', { full_name: name, short_name: 'ada', bot_type: 1 }),
    'Invalid characters in name!',
  ],
  [
    'a channel of POST /channels/create',
    (name) => ann.api.post('/channels/create', { name, subscribers: [ann.id] }),
    'Invalid character in channel name, at position 4.',
  ],
  [
    'a channel of a subscription',
    (name) => ann.api.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
    'Invalid character in channel name, at position 4.',
  ],
  [
    'a folder',
    (name) => realm.owner.api.post('/channel_folders/create', { name, description: '' }),
    'Invalid character in channel folder name, at position 4.',
  ],
  [
    'a group',
    (name) => ann.api.post('/user_groups/create', { name, description: '', members: [] }),
    'Invalid character in user group name, at position 4.',
  ],
  [
    'a group of default channels',
    (name) =>
      realm.owner.api.post('/default_stream_groups/create', {
        group_name: name,
        description: 'x',
        stream_names: [],
      }),
    `Invalid default channel group name '${unseen}'`,
  ],
  [
    'a profile field',
    (name) => realm.owner.api.post('/realm/profile_fields', { name, field_type: 1 }),
    'Invalid characters in name!',
  ],
  ['the organization', (name) => realm.owner.api.patch('/realm', { name }), 'Invalid characters in name!'],
]

describe('a name with invisible parts', () => {
  it.each(NAMED)('is refused for %s', async (_, make, refusal) => {
    expectRefusal(await make(unseen), refusal)
  })
})

const SAME: readonly [string, string, string][] = [
  ['width and case', 'Cafe\u0301 1', 'ＣＡＦÉ　１'],
  ['folding', 'Straße', 'STRASSE'],
  ['spaces', 'two words', 'two\u00a0 words'],
]

describe('names that differ in form alone', () => {
  it.each(SAME)('(%s) are one name of channels, folders and groups', async (_, one, other) => {
    const folder = (name: string) =>
      realm.owner.api.post('/channel_folders/create', { name, description: '' })
    const group = (name: string) =>
      ann.api.post('/user_groups/create', { name, description: '', members: [] })
    const channel = (name: string) => ann.api.post('/channels/create', { name, subscribers: [ann.id] })
    for (const make of [folder, group, channel]) {
      expectSuccess(await make(one))
      const again = await make(other)
      expect([again.body.result, again.body.msg]).toEqual([
        'error',
        expect.stringContaining(`'${other}' already exists`),
      ])
    }
  })
})

describe('a channel', () => {
  it('is found by any form of its name: sent to, subscribed to, narrowed to, linked', async () => {
    const channel = await buildChannel([ann], { name: 'Größe　A' })
    const queue = await openQueue(ann, { narrow: [['channel', 'GRÖSSE A']] })
    const form = 'gro\u0308ße a'
    const { id } = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: form, topic: 't', content: `#**${form}**` }),
    )
    const [event] = await queue.eventsOf('message')
    expect(event!.message).toMatchObject({ id, stream_id: channel.id })
    expect(event!.message.content).toContain(`data-stream-id="${channel.id}"`)
    expectSuccess(await bob.api.post('/users/me/subscriptions', { subscriptions: [{ name: form }] }))
    expect(expectSuccess(await ann.api.get('/get_stream_id', { stream: form })).stream_id).toBe(channel.id)
    const narrow = [{ operator: 'channel', operand: form }]
    const found = await ann.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    expect(expectSuccess(found).messages).toMatchObject([{ id }])
    expectSuccess(await bob.api.delete('/users/me/subscriptions', { subscriptions: ['GRÖSSE A'] }))
  })
})

describe('people', () => {
  it('have names of their own where that is required, in any form', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { require_unique_names: true }))
    for (const name of ['JÜRGEN GROSS', 'Ju\u0308rgen\u3000Groß', 'ｊürgen groß']) {
      expectRefusal(
        await ann.api.patch('/settings', { full_name: name }),
        'Unique names required in this organization.',
      )
    }
    expectSuccess(await ann.api.patch('/settings', { full_name: 'Jürgеn Groß' }))
    expectSuccess(await realm.owner.api.patch('/realm', { require_unique_names: false }))
  })

  it('cannot be imitated by the name of a bot, in any form', async () => {
    const bot = { full_name: 'JÜRGEN\u00a0GROSS', short_name: 'jg', bot_type: 1 }
    expectRefusal(await ann.api.post('/bots', bot), 'Name is already in use.')
  })

  it('are mentioned by any form of their name, with an id or without', async () => {
    const sent = async (by: TestUser, content: string) =>
      expectSuccess(await by.api.post('/messages/render', { content })).rendered as string
    for (const mention of ['@**JÜRGEN GROSS**', `@**jürgen　groß|${bob.id}**`]) {
      expect(await sent(ann, mention)).toContain(`data-user-id="${bob.id}"`)
    }
  })

  it('of one name are mentioned as they are spelled, else the oldest', async () => {
    const { id: first } = await createBot(realm.owner, 'Robo')
    const { id: second } = await createBot(realm.owner, 'Robo X')
    await changeRealm(realm, ({ sql }) =>
      sql.run(`UPDATE user SET full_name = 'ROBO', name_key = 'robo' WHERE id = ?`, second),
    )
    const mentioned = async (name: string) =>
      expectSuccess(await ann.api.post('/messages/render', { content: `@**${name}**` })).rendered as string
    expect(await mentioned('ROBO')).toContain(`data-user-id="${second}"`)
    expect(await mentioned('Robo')).toContain(`data-user-id="${first}"`)
    expect(await mentioned('rObO')).toContain(`data-user-id="${first}"`)
  })
})
