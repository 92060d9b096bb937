import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { atLevel, buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { withRowsRead } from '../../support/inside-work.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

async function send(from: TestUser, to = channel.name): Promise<number> {
  const message = { type: 'channel', to, topic: 'reactions', content: 'react to me' }
  return expectSuccess(await from.api.post('/messages', message)).id
}

async function sendDirect(from: TestUser, to: TestUser): Promise<number> {
  const message = { type: 'direct', to: [to.id], content: 'psst' }
  return expectSuccess(await from.api.post('/messages', message)).id
}

function react(user: TestUser, id: number, emoji: Record<string, ParameterValue>) {
  return user.api.post(`/messages/${id}/reactions`, emoji)
}

function unreact(user: TestUser, id: number, emoji: Record<string, ParameterValue>) {
  return user.api.delete(`/messages/${id}/reactions`, emoji)
}

/** Returns the queue's events of reactions: op, name, code, type, user. */
async function reactionsIn(queue: TestQueue) {
  return (await queue.eventsOf('reaction')).map(
    ({ op, emoji_name, emoji_code, reaction_type, user_id }) =>
      [op, emoji_name, emoji_code, reaction_type, user_id] as const,
  )
}

describe('reacting', () => {
  it('of many people is shown without reading each of their accounts in full', async () => {
    const people = await insertUsers(realm, 120, channel.id)
    const id = await send(ann)
    for (const user of people) expectSuccess(await react(user, id, { emoji_name: 'car' }))
    const { answer, rows } = await withRowsRead(() => ann.api.get(`/messages/${id}`))
    const { message } = expectSuccess(answer)
    expect(message.reactions).toHaveLength(people.length)
    expect(message.reactions[7].user).toMatchObject({ id: people[7]!.id, full_name: people[7]!.fullName })
    expect(rows.filter((row) => 'delivery_email' in row).length).toBeLessThan(people.length)
  })

  it('of many people is read in one row for each emoji, and keeps its order', async () => {
    const people = await insertUsers(realm, 40, channel.id)
    const id = await send(ann)
    const names = people.map((_, at) => (at % 2 === 0 ? 'car' : 'octopus'))
    for (const [at, user] of people.entries()) {
      expectSuccess(await react(user, id, { emoji_name: names[at]! }))
    }
    const { answer, rows } = await withRowsRead(() => ann.api.get(`/messages/${id}`))
    const { message } = expectSuccess(answer)
    const shown = message.reactions.map((one: Record<string, unknown>) => [one.user_id, one.emoji_name])
    expect(shown).toEqual(people.map((user, at) => [user.id, names[at]]))
    expect(rows.filter((row) => 'emoji_code' in row)).toHaveLength(2)
  })

  it('of one more person reads no reaction of the others', async () => {
    const people = await insertUsers(realm, 30, channel.id)
    const id = await send(ann)
    for (const user of people.slice(1)) expectSuccess(await react(user, id, { emoji_name: 'car' }))
    const { answer, rows } = await withRowsRead(() => react(people[0]!, id, { emoji_name: 'car' }))
    expectSuccess(answer)
    expect(rows.filter((row) => 'emoji_code' in row)).toEqual([])
  })

  it('reaches all who have the message, with code and type found by name', async () => {
    const id = await send(ann)
    const queues = [await openQueue(atLevel(ann, 483)), await openQueue(atLevel(ben, 483))]
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    for (const queue of queues) {
      const [event] = await queue.eventsOf('reaction')
      expect(event).toMatchObject({
        op: 'add',
        message_id: id,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
        user_id: ben.id,
        user: { user_id: ben.id, email: ben.email, full_name: 'Ben' },
      })
    }
  })

  it('emits nothing to users outside a direct conversation', async () => {
    const id = await sendDirect(ann, ben)
    const [anns, owners] = [await openQueue(ann), await openQueue(realm.owner)]
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    expect(await reactionsIn(anns)).toEqual([['add', 'tada', '1f389', 'unicode_emoji', ben.id]])
    expect(await reactionsIn(owners)).toEqual([])
  })

  it('uses the name that an earlier reaction with the same emoji has', async () => {
    const id = await send(ann)
    expectSuccess(
      await react(ann, id, { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }),
    )
    const queue = await openQueue(ann)
    expectSuccess(
      await react(ben, id, { emoji_name: 'whatever', emoji_code: '1f642', reaction_type: 'unicode_emoji' }),
    )
    expect(await reactionsIn(queue)).toEqual([['add', 'slight_smile', '1f642', 'unicode_emoji', ben.id]])
  })

  it('by an old pair of name and code means the code, under its present name', async () => {
    const id = await send(ann)
    const queue = await openQueue(ann)
    const old = { emoji_name: 'smile', reaction_type: 'unicode_emoji' }
    for (const emoji_code of ['1f642', '263a']) expectSuccess(await react(ann, id, { ...old, emoji_code }))
    expectSuccess(await react(ann, id, { emoji_name: 'smile' }))
    expectSuccess(
      await react(ben, id, { emoji_name: 'big_smile', emoji_code: '1f604', reaction_type: 'unicode_emoji' }),
    )
    expect((await reactionsIn(queue)).map(([, name, code]) => [name, code])).toEqual([
      ['slight_smile', '1f642'],
      ['smiling_face', '263a'],
      ['smile', '1f604'],
      ['smile', '1f604'],
    ])
    for (const _ of ['1f604', '1f642', '263a']) expectSuccess(await unreact(ann, id, { emoji_name: 'smile' }))
    expect((await reactionsIn(queue)).map(([, , code]) => code)).toEqual(['1f604', '1f642', '263a'])
    expectSuccess(await ann.api.post('/users/me/status', { ...old, emoji_code: '1f642' }))
    const { status } = expectSuccess(await ann.api.get(`/users/${ann.id}/status`))
    expect(status).toMatchObject({ emoji_name: 'slight_smile', emoji_code: '1f642' })
  })

  it('twice with the same emoji is refused', async () => {
    const id = await send(ann)
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    const { status, body } = await react(ben, id, { emoji_name: 'tada' })
    expect([status, body.code, body.msg]).toEqual([
      400,
      'REACTION_ALREADY_EXISTS',
      'Reaction already exists.',
    ])
    expectSuccess(await react(ben, id, { emoji_name: 'heart' }))
  })

  it('to a public message never received adds it to one’s history, with later reactions', async () => {
    const cid = await buildUser(realm)
    const id = await send(ann)
    const queue = await openQueue(cid)
    expectSuccess(await react(ann, id, { emoji_name: 'heart' }))
    expectSuccess(await react(cid, id, { emoji_name: 'tada' }))
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    expect((await reactionsIn(queue)).map(([, name, , , user]) => [name, user])).toEqual([
      ['tada', cid.id],
      ['tada', ben.id],
    ])
    const { snapshot } = await openQueue(cid, { fetch_event_types: ['message', 'update_message_flags'] })
    expect(snapshot.max_message_id).toBe(id)
    expect(snapshot.unread_msgs.streams).toEqual([])
  })

  it('with protected history is sent only to those who received the message', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true, history_public_to_subscribers: false })
    const id = await send(ann, secret.name)
    const cid = await buildUser(realm)
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: secret.name }],
        principals: [cid.id],
      }),
    )
    const [bens, cids] = [await openQueue(ben), await openQueue(cid)]
    expectSuccess(await react(ann, id, { emoji_name: 'tada' }))
    expect(await reactionsIn(bens)).toHaveLength(1)
    expect(await reactionsIn(cids)).toEqual([])
    expect((await react(cid, id, { emoji_name: 'heart' })).body.msg).toBe('Invalid message(s)')
  })

  it('in a private channel with shared history is sent to later subscribers, too', async () => {
    const shared = await buildChannel([ann, ben], { invite_only: true, history_public_to_subscribers: true })
    const id = await send(ann, shared.name)
    const cid = await buildUser(realm)
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: shared.name }],
        principals: [cid.id],
      }),
    )
    const cids = await openQueue(cid)
    expectSuccess(await react(ann, id, { emoji_name: 'tada' }))
    expect(await reactionsIn(cids)).toHaveLength(1)
    expectSuccess(await react(cid, id, { emoji_name: 'heart' }))
  })
})

describe('an emoji is refused', () => {
  it.each([
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'heart', emoji_code: '1f389', reaction_type: 'unicode_emoji' }, 'Invalid emoji name.'],
    [{ emoji_name: 'heart', emoji_code: 'ffffff', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'mine', emoji_code: '7', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ emoji_name: 'heart', emoji_code: '1f389', reaction_type: 'sticker' }, 'Invalid emoji type.'],
    [{ emoji_name: 'heart', emoji_code: 'heart', reaction_type: 'svc_extra_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'heart', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji name.'],
  ])('%j: %s', async (emoji, msg) => {
    const { status, body } = await react(ann, await send(ann), emoji)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
  })

  it('without a name', async () => {
    expect((await react(ann, await send(ann), {})).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'emoji_name',
    })
  })
})

describe('removing a reaction', () => {
  it('notifies all who have the message, and it can be added again', async () => {
    const id = await send(ann)
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    const queues = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await unreact(ben, id, { emoji_name: 'tada' }))
    for (const queue of queues) {
      expect(await reactionsIn(queue)).toEqual([['remove', 'tada', '1f389', 'unicode_emoji', ben.id]])
    }
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    expectSuccess(await unreact(ben, id, { emoji_code: '1f389' }))
  })

  it('removes only one’s own', async () => {
    const id = await send(ann)
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    const { status, body } = await unreact(ann, id, { emoji_name: 'tada' })
    expect([status, body.code, body.msg]).toEqual([400, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."])
    expect((await react(ben, id, { emoji_name: 'tada' })).body.code).toBe('REACTION_ALREADY_EXISTS')
  })

  it('needs a name or a code', async () => {
    const { body } = await unreact(ann, await send(ann), {})
    expect(body.msg).toBe('At least one of the following arguments must be present: emoji_name, emoji_code')
  })

  it('accepts a name alone for a Unicode emoji', async () => {
    const id = await send(ann)
    expectSuccess(await react(ann, id, { emoji_name: 'zulip' }))
    expect((await unreact(ann, id, { emoji_name: 'zulip' })).body.code).toBe('REACTION_DOES_NOT_EXIST')
  })
})

describe('who may not react', () => {
  it('a guest who is not subscribed', async () => {
    const { status, body } = await react(guest, await send(ann), { emoji_name: 'tada' })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
  })

  it('a user outside a private channel or a conversation, an administrator too', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const emoji = { emoji_name: 'tada' }
    expect((await react(realm.owner, await send(ann, secret.name), emoji)).body.msg).toBe(
      'Invalid message(s)',
    )
    expect((await react(realm.owner, await sendDirect(ann, ben), emoji)).body.msg).toBe('Invalid message(s)')
    expect((await unreact(realm.owner, await sendDirect(ann, ben), emoji)).body.msg).toBe(
      'Invalid message(s)',
    )
  })

  it('anyone, to a message that does not exist', async () => {
    expect((await react(ann, 999_999, { emoji_name: 'tada' })).body.msg).toBe('Invalid message(s)')
  })

  it('callers without credentials, or of another organization', async () => {
    const id = await send(ann)
    expect((await realm.anonymous.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })).status).toBe(401)
    expect((await react(stranger, id, { emoji_name: 'tada' })).body.msg).toBe('Invalid message(s)')
  })

  it('anybody in an archived channel', async () => {
    const old = await buildChannel([ann, ben])
    const id = await send(ann, old.name)
    expectSuccess(await react(ben, id, { emoji_name: 'tada' }))
    expectSuccess(await realm.owner.api.delete(`/streams/${old.id}`))
    expect((await react(ann, id, { emoji_name: 'tada' })).body.msg).toBe('Invalid message(s)')
    expect((await unreact(ben, id, { emoji_name: 'tada' })).body.msg).toBe('Invalid message(s)')
  })

  it('a deactivated account', async () => {
    const cid = await buildUser(realm)
    const id = await send(ann)
    expectSuccess(await realm.owner.api.delete(`/users/${cid.id}`))
    const { status, body } = await react(cid, id, { emoji_name: 'tada' })
    expect([status, body.msg]).toEqual([401, 'Account is deactivated'])
  })
})
