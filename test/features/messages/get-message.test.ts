import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest, admin } = useRealm({
  ann: 'member',
  ben: 'member',
  guest: 'guest',
  admin: 'administrator',
})
/** The owner of another organization. */
const { owner: stranger } = useRealm()

async function flagsFor(reader: TestUser, id: number): Promise<string[]> {
  return expectSuccess(await reader.api.get(`/messages/${id}`)).message.flags
}

async function expectReadable(reader: TestUser, id: number): Promise<void> {
  expect(expectSuccess(await reader.api.get(`/messages/${id}`)).message.id).toBe(id)
  expect(await idsIn(reader, [], { message_ids: [id], anchor: undefined, num_after: 0 })).toEqual([id])
}

/** Checks that requests for the message are refused as if it did not exist, and that no list has it. */
async function expectHidden(reader: TestUser, id: number): Promise<void> {
  expectRefusal(await reader.api.get(`/messages/${id}`), 'Invalid message(s)')
  expectRefusal(await reader.api.get(`/messages/${id}/history`), 'Invalid message(s)')
  expect(await idsIn(reader, [], { message_ids: [id], anchor: undefined, num_after: 0 })).toEqual([])
  expect(await idsIn(reader, [])).not.toContain(id)
}

async function subscribe(user: TestUser, channel: { name: string }, by: TestUser = user): Promise<void> {
  expectSuccess(
    await by.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: [user.id],
    }),
  )
}

async function leave(user: TestUser, channel: { name: string }): Promise<void> {
  expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
}

describe('the answer', () => {
  it('has HTML or the source as asked, and raw_content in any case', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await sendTo(ann, channel.id, 't', 'so **bold**')
    expect(expectSuccess(await ben.api.get(`/messages/${id}`))).toMatchObject({
      raw_content: 'so **bold**',
      message: {
        id,
        content: '<p>so <strong>bold</strong></p>',
        content_type: 'text/html',
        avatar_url: null,
      },
    })
    const asSource = expectSuccess(await ben.api.get(`/messages/${id}`, { apply_markdown: false }))
    expect(asSource).toMatchObject({
      raw_content: 'so **bold**',
      message: { content: 'so **bold**', content_type: 'text/x-markdown' },
    })
    await evictRealm(realm.id)
    expect(expectSuccess(await ben.api.get(`/messages/${id}`)).raw_content).toBe('so **bold**')
  })

  it('names the empty topic for clients that do not know it', async () => {
    const channel = await buildChannel([ann])
    const id = await sendTo(ann, channel.id, '')
    const subject = async (params: object) =>
      expectSuccess(await ann.api.get(`/messages/${id}`, { ...params })).message.subject
    expect(await subject({})).toBe('general chat')
    expect(await subject({ allow_empty_topic_name: true })).toBe('')
  })

  it('is refused for a message that never existed or was deleted', async () => {
    const channel = await buildChannel([admin])
    const id = await sendTo(admin, channel.id, 't')
    expectSuccess(await admin.api.delete(`/messages/${id}`))
    expectRefusal(await admin.api.get(`/messages/${id}`), 'Invalid message(s)')
    expectRefusal(await admin.api.get('/messages/99999999'), 'Invalid message(s)')
    expect((await admin.api.get('/messages/first')).status).toBe(404)
  })

  it('needs an account, of this organization', async () => {
    const channel = await buildChannel([ann])
    const id = await sendTo(ann, channel.id, 't')
    expectUnauthorized(await realm.anonymous.get(`/messages/${id}`))
    expectRefusal(await stranger.api.get(`/messages/${id}`), 'Invalid message(s)')
  })
})

describe('flags', () => {
  it('are the user’s own, or read and historical if they did not receive it', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await sendTo(ann, channel.id, 't', 'hello @**Ben** and @**all**')
    expect(await flagsFor(ben, id)).toEqual(['mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned'])
    expect(await flagsFor(admin, id)).toEqual(['read', 'historical'])
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    expect(await flagsFor(ben, id)).toEqual([
      'read',
      'starred',
      'mentioned',
      'stream_wildcard_mentioned',
      'wildcard_mentioned',
    ])
    expectSuccess(await admin.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    expect(await flagsFor(admin, id)).toEqual(['read', 'starred', 'historical'])
  })

  it('of one’s own message include read when sent from an interactive client', async () => {
    const phone = await buildUser(realm, { userAgent: 'ZulipMobile/30.0' })
    const channel = await buildChannel([ann, phone])
    expect(await flagsFor(phone, await sendTo(phone, channel.id, 't'))).toEqual(['read'])
    expect(await flagsFor(ann, await sendTo(ann, channel.id, 't'))).toEqual([])
  })
})

describe('a direct message', () => {
  it('is returned to its participants and to nobody else', async () => {
    const id = await sendDirect(ann, [ben])
    await expectReadable(ann, id)
    await expectReadable(ben, id)
    await expectHidden(admin, id)
    await expectHidden(realm.owner, id)
  })
})

describe('a message in a public channel', () => {
  it('is returned to everybody but guests who are not subscribed', async () => {
    const channel = await buildChannel([ann])
    const id = await sendTo(ann, channel.id, 't')
    await expectReadable(ben, id)
    await expectHidden(guest, id)
    await subscribe(guest, channel, ann)
    expect(expectSuccess(await guest.api.get(`/messages/${id}`)).message.flags).toEqual([
      'read',
      'historical',
    ])
    await leave(guest, channel)
    await expectHidden(guest, id)
  })

  it('that one did not receive is found in its channel, not among one’s own', async () => {
    const channel = await buildChannel([ann])
    const before = await sendTo(ann, channel.id, 't')
    await subscribe(ben, channel)
    const after = await sendTo(ann, channel.id, 't')
    const own = await idsIn(ben, [])
    expect(own).toContain(after)
    expect(own).not.toContain(before)
    expect(await idsIn(ben, [['channel', channel.name]])).toEqual(expect.arrayContaining([before, after]))
    // A term about the reader's own flags asks for records again.
    const unread = await idsIn(ben, [
      ['channel', channel.name],
      ['is', 'unread'],
    ])
    expect(unread).toContain(after)
    expect(unread).not.toContain(before)
    await leave(ben, channel)
    expect(await idsIn(ben, [])).toContain(after)
  })

  it('in an archived channel can still be read', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await sendTo(ann, channel.id, 't')
    const archived = await realm.owner.api.delete(`/streams/${channel.id}`)
    expectSuccess(archived)
    await expectReadable(ben, id)
    expect(await idsIn(ben, [['channel', channel.name]])).toContain(id)
  })
})

describe('a message in a private channel', () => {
  it('with shared history is returned to subscribers, however old it is', async () => {
    const channel = await buildChannel([ann], { invite_only: true, history_public_to_subscribers: true })
    const id = await sendTo(ann, channel.id, 't')
    await expectHidden(ben, id)
    await expectHidden(admin, id)
    await subscribe(ben, channel, ann)
    expect(expectSuccess(await ben.api.get(`/messages/${id}`)).message.flags).toEqual(['read', 'historical'])
    expect(await idsIn(ben, [['channel', channel.name]])).toContain(id)
  })

  it('that one has left is hidden again, though one received it', async () => {
    const channel = await buildChannel([ann, ben], { invite_only: true, history_public_to_subscribers: true })
    const id = await sendTo(ann, channel.id, 't')
    await expectReadable(ben, id)
    await leave(ben, channel)
    await expectHidden(ben, id)
    const narrow = JSON.stringify([{ operator: 'channel', operand: channel.name }])
    expectRefusal(
      await ben.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow }),
      `Invalid narrow operator: unknown channel ${channel.name}`,
      { code: 'BAD_NARROW', desc: `unknown channel ${channel.name}` },
    )
  })

  it('with protected history is returned to those who were subscribed at its time', async () => {
    const channel = await buildChannel([ann], { invite_only: true, history_public_to_subscribers: false })
    const before = await sendTo(ann, channel.id, 't')
    await subscribe(ben, channel, ann)
    const during = await sendTo(ann, channel.id, 't')
    await expectHidden(ben, before)
    await expectReadable(ben, during)
    expect(await idsIn(ben, [['channel', channel.name]])).not.toContain(before)
    await leave(ben, channel)
    const absent = await sendTo(ann, channel.id, 't')
    await expectHidden(ben, during)
    await subscribe(ben, channel, ann)
    await expectReadable(ben, during)
    await expectHidden(ben, absent)
    await evictRealm(realm.id)
    expect(
      await idsIn(ben, [
        ['channel', channel.name],
        ['topic', 't'],
      ]),
    ).toEqual([during])
  })
})
