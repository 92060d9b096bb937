import { describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import { fromJson } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

type Params = Readonly<Record<string, ParameterValue | undefined>>

const post = (params: Params, user = ann) =>
  user.api.post('/messages', { type: 'channel', to: channel.id, topic: 'tides', content: 'hello', ...params })

const write = (params: Params, user = ann) =>
  user.api.post('/messages', { type: 'direct', content: 'hello', ...params })

/** Returns the message as this user gets it. */
async function found(id: number, user = ann) {
  return expectSuccess(await user.api.get(`/messages/${id}`, { apply_markdown: false })).message
}

describe('a message to a channel', () => {
  it('is in a subscriber’s queue, and in the sender’s own with its local id', async () => {
    const [own, other] = [await openQueue(ann), await openQueue(ben)]
    const echo = { queue_id: own.id, local_id: '12.01' }
    const { id } = expectSuccess(await post({ content: 'hello **world**', ...echo }))
    expect(await own.eventsOf('message')).toMatchObject([{ local_message_id: '12.01', message: { id } }])
    const [event] = await other.eventsOf('message')
    expect(event).not.toHaveProperty('local_message_id')
    expect(event).toMatchObject({
      flags: [],
      message: { id, content: '<p>hello <strong>world</strong></p>', subject: 'tides', type: 'stream' },
    })
  })

  it('accepts the channel’s id or name, bare, as JSON, or as a one-element list', async () => {
    const { id, name } = channel
    const addresses = [id, String(id), name, name.toUpperCase(), JSON.stringify(name), [name], [id]]
    for (const type of ['channel', 'stream']) {
      for (const to of addresses) {
        const sent = expectSuccess(await post({ type, to }))
        expect(await found(sent.id)).toMatchObject({ stream_id: id, display_recipient: name })
      }
    }
  })

  it('accepts the topic under its old name, but not under both', async () => {
    const { id } = expectSuccess(await post({ topic: undefined, subject: 'nets' }))
    expect(await found(id)).toMatchObject({ subject: 'nets' })
    expectRefusal(await post({ subject: 'nets' }), "Can't decide between 'topic' and 'subject' arguments", {
      code: 'REQUEST_CONFUSING_VAR',
    })
  })

  it('accepts each name of the empty topic, and cuts a long topic', async () => {
    for (const topic of ['', '  ', '(no topic)', 'general chat']) {
      const { id } = expectSuccess(await post({ topic }))
      const asked = await ann.api.get(`/messages/${id}`, { allow_empty_topic_name: true })
      expect(expectSuccess(asked).message.subject).toBe('')
    }
    const { id } = expectSuccess(await post({ topic: 'é'.repeat(61) }))
    expect((await found(id)).subject).toBe(`${'é'.repeat(57)}...`)
  })

  it('is stored trimmed, and cut when too long', async () => {
    const trimmed = expectSuccess(await post({ content: '\n\n  indented\n\n ' }))
    expect((await found(trimmed.id)).content).toBe('  indented')
    const long = expectSuccess(await post({ content: 'é'.repeat(10_001) }))
    const { content } = await found(long.id)
    expect([...content]).toHaveLength(10_000)
    expect(content.endsWith('é\n[message truncated]')).toBe(true)
  })

  it('of a non-subscriber is not echoed to them, and is read', async () => {
    const queue = await openQueue(realm.owner)
    const { id } = expectSuccess(await post({}, realm.owner))
    expect(await queue.eventsOf('message')).toEqual([])
    expect((await found(id, realm.owner)).flags).toEqual(['read', 'historical'])
  })

  it('is read by its sender if the client is interactive or says so', async () => {
    const reader = await buildUser(realm, { userAgent: 'ZulipMobile/30 (Android)' })
    expectSuccess(await reader.api.post('/users/me/subscriptions', { subscriptions: [channel] }))
    const flagsOf = async (params: Params, user: TestUser) =>
      (await found(expectSuccess(await post(params, user)).id, user)).flags
    expect(await flagsOf({}, ann)).toEqual([])
    expect(await flagsOf({ read_by_sender: true }, ann)).toEqual(['read'])
    expect(await flagsOf({}, reader)).toEqual(['read'])
    expect(await flagsOf({ read_by_sender: false }, reader)).toEqual([])
    expect(await flagsOf({ read_by_sender: 'null' }, reader)).toEqual(['read'])
  })

  it.each([
    [undefined, 'website/1.0', true],
    [undefined, 'ZulipMobile/30.0', true],
    [undefined, 'MyScript/1.0', false],
    [true, 'MyScript/1.0', true],
    [false, 'website/1.0', false],
  ])(
    'with read_by_sender %j from %s is read by its sender: %j',
    async (read_by_sender, userAgent, isRead) => {
      const { email, apiKey } = ann
      const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey, userAgent })
      const params = { type: 'channel', to: channel.id, topic: 'x', content: 'x', read_by_sender }
      const { id } = expectSuccess(await api.post('/messages', params))
      expect((await found(id)).flags.includes('read')).toBe(isRead)
    },
  )
})

describe('a direct message', () => {
  it('accepts any list of ids or e-mail addresses, with or without the sender', async () => {
    const both = [ann.id, ben.id]
    const forms = [
      [ben.id],
      [ben.id, ann.id, ben.id],
      ben.id,
      [ben.email],
      ben.email,
      `${ben.email}, ${ann.email}`,
      JSON.stringify(ben.email),
    ]
    for (const type of ['direct', 'private']) {
      for (const to of forms) {
        const { id } = expectSuccess(await write({ type, to: to as ParameterValue }))
        const { display_recipient, subject } = await found(id, ben)
        expect(display_recipient.map((one: { id: number }) => one.id).sort()).toEqual(both)
        expect(subject).toBe('')
      }
    }
  })

  it('needs known recipients, all given by id or all by address', async () => {
    for (const to of ['[]', '', '[""]']) {
      expectRefusal(await write({ to }), 'Message must have recipients')
    }
    expectRefusal(await write({ to: [99_999] }), 'Invalid user ID 99999')
    expectRefusal(await write({ to: ['nobody@example.net'] }), "Invalid email 'nobody@example.net'")
    expectRefusal(
      await write({ to: [ben.id, ben.email] }),
      'Recipient lists may contain emails or user IDs, but not both.',
    )
    expectRefusal(await write({}), "Missing 'to' argument", { code: 'REQUEST_VARIABLE_MISSING' })
  })

  it('names at most 200 recipients, who all see one number of their conversation', async () => {
    const people = await insertUsers(realm, 201)
    const ids = people.map(({ id }) => id)
    const refusal = 'Direct messages cannot have more than 200 recipients'
    const addresses = people.map(({ email }) => email)
    for (const to of [ids, addresses]) expectRefusal(await write({ to }), refusal)
    expectRefusal(await ann.api.post('/typing', { op: 'start', to: ids }), refusal)
    const later = { type: 'direct', to: ids, content: 'later', scheduled_delivery_timestamp: 2e9 }
    expectRefusal(await ann.api.post('/scheduled_messages', later), refusal)
    // The same person counts once, and the sender does not count.
    const to = ids.slice(1)
    const { id } = expectSuccess(await write({ to: [...to, ids[1]!] }))
    const { recipient_id } = await found(id)
    const queue = await openQueue(people.at(-1)!)
    const again = expectSuccess(await write({ to, content: 'again' }))
    expect(await queue.eventsOf('message')).toMatchObject([{ message: { id: again.id, recipient_id } }])
    // The conversation was once looked up for each of its people.
    const newest = `SELECT event FROM log WHERE json_extract(event, '$.message.id') = ?`
    const entry = await inRealm(realm, ({ parts }) => parts.sql.first<{ event: string }>(newest, again.id)!)
    expect(fromJson(entry.event)).not.toHaveProperty('recipient_ids')
  })

  it('cannot be sent to a deactivated account', async () => {
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectRefusal(await write({ to: [ben.id, gone.id] }), `'${gone.email}' is no longer using Parley.`)
  })
})

describe('what is refused', () => {
  it('is checked in order: type, impersonation, recipients, content, channel', async () => {
    const bad = { to: 'no such channel', topic: undefined, content: ' ' }
    expectRefusal(await post({ ...bad, type: 'letter', sender: 'x@example.com' }), 'Invalid type')
    expectRefusal(await post({ ...bad, sender: 'x@example.com', forged: 'true' }), 'Invalid mirrored message')
    expectRefusal(await post({ ...bad, forged: 'true' }), 'User not authorized for this query')
    expectRefusal(await post({ ...bad, to: ['a', 'b'] }), 'Cannot send to multiple channels')
    expectRefusal(await post({ ...bad, to: undefined }), 'Missing channel')
    expectRefusal(await post(bad), 'Missing topic')
    expectRefusal(await post({ ...bad, topic: 'a\u0007b' }), 'Invalid character in topic, at position 2!')
    expectRefusal(await post({ ...bad, topic: '' }), 'Message must not be empty')
    expectRefusal(await post({ ...bad, topic: '', content: 'a\0b' }), 'Message must not contain null bytes')
    expectRefusal(
      await post({ ...bad, topic: '', content: 'hello' }),
      "Channel 'no such channel' does not exist",
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'no such channel' },
    )
    expectRefusal(await post({ to: 99_999 }), "Channel with ID '99999' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: 99_999,
    })
    expectRefusal(await post({ content: undefined }), "Missing 'content' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
  })

  it('leaves nothing behind', async () => {
    const queue = await openQueue(ben)
    await post({ widget_content: 'no JSON' })
    await post({ sender: ben.email })
    await write({ to: [ben.id, 99_999] })
    expect(await queue.events()).toEqual([])
  })

  it('includes invalid widgets, with what is wrong', async () => {
    for (const [widget_content, what] of [
      ['poll', 'API programmer sent invalid JSON content'],
      ['[]', 'widget_content is not a dict'],
      ['{}', 'widget_type is not in widget_content'],
      ['{"widget_type":"clock","extra_data":{}}', 'unknown widget type: clock'],
    ]) {
      expectRefusal(await post({ widget_content }), `Widgets: ${what}`)
    }
  })

  it('includes channels in which the sender may not post, and archived ones', async () => {
    const closed = await buildChannel([ann], { invite_only: true })
    const archived = await buildChannel([ann])
    expectSuccess(await realm.owner.api.delete(`/streams/${archived.id}`))
    const refusalOf = ({ name }: { name: string }) => `Not authorized to send to channel '${name}'`
    expectRefusal(await post({ to: closed.id }, realm.owner), refusalOf(closed))
    const code = 'STREAM_DOES_NOT_EXIST'
    for (const [user, { id, name }] of [
      [ben, closed],
      [guest, channel],
    ] as const) {
      const byId = `Channel with ID '${id}' does not exist`
      expectRefusal(await post({ to: id }, user), byId, { code, stream_id: id })
      expectRefusal(await post({ to: name }, user), `Channel '${name}' does not exist`, {
        code,
        stream: name,
      })
    }
    expectRefusal(await post({ to: archived.id }), refusalOf(archived))
  })

  it('includes everything without an account here', async () => {
    const params = { type: 'channel', to: channel.id, topic: 'tides', content: 'hello' }
    expectUnauthorized(await realm.anonymous.post('/messages', params))
    const { status } = await stranger.api.post('/messages', { ...params, to: channel.name })
    expect(status).toBe(400)
  })
})
