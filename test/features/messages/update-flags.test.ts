import { describe, expect, it } from 'vitest'
import { atLevel, buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

async function send(from: TestUser, content = 'hello', topic = 'flags', to: string = channel.name) {
  const { id } = expectSuccess(await from.api.post('/messages', { type: 'channel', to, topic, content }))
  return id as number
}

async function sendDirect(from: TestUser, to: readonly TestUser[], content = 'psst') {
  const ids = to.map(({ id }) => id)
  return expectSuccess(await from.api.post('/messages', { type: 'direct', to: ids, content })).id as number
}

function update(user: TestUser, messages: readonly number[], op: string, flag: string) {
  return user.api.post('/messages/flags', { messages, op, flag })
}

async function unread(user: TestUser): Promise<Json> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['message', 'update_message_flags'] })
  return snapshot.unread_msgs
}

async function unreadIds(user: TestUser): Promise<number[]> {
  const { streams, pms, huddles } = await unread(user)
  return [...streams, ...pms, ...huddles].flatMap((one) => one.unread_message_ids)
}

async function starred(user: TestUser): Promise<number[]> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['starred_messages'] })
  return snapshot.starred_messages
}

describe('the list of starred messages', () => {
  it('has those that can be read now, and others again once they can', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    const id = await send(ann, 'kept', 'flags', secret.name)
    const direct = await sendDirect(ann, [ben])
    expectSuccess(await update(ben, [id, direct], 'add', 'starred'))
    expect(await starred(ben)).toEqual(expect.arrayContaining([id, direct]))
    const removal = { subscriptions: [secret.name], principals: [ben.id] }
    expectSuccess(await ann.api.delete('/users/me/subscriptions', removal))
    const left = await starred(ben)
    expect(left).toContain(direct)
    expect(left).not.toContain(id)
    const joining = { subscriptions: [{ name: secret.name }], principals: [ben.id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', joining))
    expect(await starred(ben)).toEqual(expect.arrayContaining([id, direct]))
  })
})

describe('marking read', () => {
  it('takes messages off the unread ones, and is sent to the user’s clients alone', async () => {
    const id = await send(ann)
    expect(await unreadIds(ben)).toContain(id)
    const [bens, anns] = [await openQueue(ben), await openQueue(ann)]
    const { messages } = expectSuccess(await update(ben, [id], 'add', 'read'))
    expect(messages).toEqual([id])
    const [event] = await bens.eventsOf('update_message_flags')
    expect(event).toMatchObject({ op: 'add', operation: 'add', flag: 'read', messages: [id], all: false })
    expect(event).not.toHaveProperty('message_details')
    expect(await anns.eventsOf('update_message_flags')).toEqual([])
    expect(await unreadIds(ben)).not.toContain(id)
  })

  it('answers without the list of ignored channels', async () => {
    const body = expectSuccess(await update(ben, [await send(ann)], 'add', 'read'))
    expect(body).not.toHaveProperty('ignored_because_not_subscribed_channels')
  })

  it('leaves out what is already read, counts an id once, and keeps the order', async () => {
    const [first, second, third] = [await send(ann), await send(ann), await send(ann)]
    expectSuccess(await update(ben, [second], 'add', 'read'))
    const { messages } = expectSuccess(await update(ben, [third, second, first, third], 'add', 'read'))
    expect(messages).toEqual([third, first])
  })

  it('sends an event even when nothing changed', async () => {
    const id = await send(ann)
    expectSuccess(await update(ben, [id], 'add', 'read'))
    const queue = await openQueue(ben)
    expectSuccess(await update(ben, [id], 'add', 'read'))
    const [event] = await queue.eventsOf('update_message_flags')
    expect(event).toMatchObject({ op: 'add', flag: 'read', messages: [] })
  })

  it('ignores messages the user did not receive, unknown and hidden ones alike', async () => {
    const hidden = await sendDirect(ann, [ben])
    const { messages } = expectSuccess(await update(guest, [hidden, 999_999], 'add', 'read'))
    expect(messages).toEqual([])
  })
})

describe('marking unread', () => {
  it('puts a channel message back among the unread, with what clients need to show it', async () => {
    const id = await send(ann, 'look', 'details')
    expectSuccess(await update(ben, [id], 'add', 'read'))
    const queue = await openQueue(ben)
    const body = expectSuccess(await update(ben, [id], 'remove', 'read'))
    expect(body).toMatchObject({ messages: [id], ignored_because_not_subscribed_channels: [] })
    const [event] = await queue.eventsOf('update_message_flags')
    expect(event).toMatchObject({
      op: 'remove',
      flag: 'read',
      message_details: {
        [id]: { type: 'stream', stream_id: channel.id, topic: 'details', unmuted_stream_msg: true },
      },
    })
    expect(event!['message_details'][id]).not.toHaveProperty('mentioned')
    expect(await unreadIds(ben)).toContain(id)
  })

  it('names the others of a direct conversation, and says who is mentioned', async () => {
    const id = await sendDirect(ann, [ben, guest], 'hello @**Ben**')
    expectSuccess(await update(ben, [id], 'add', 'read'))
    const queue = await openQueue(ben)
    expectSuccess(await update(ben, [id], 'remove', 'read'))
    const [event] = await queue.eventsOf('update_message_flags')
    expect(event!['message_details'][id]).toEqual({
      type: 'private',
      user_ids: [ann.id, guest.id],
      mentioned: true,
    })
    expect((await unread(ben)).mentions).toContain(id)
  })

  it('works on one’s own message that was read when sent', async () => {
    const { id } = expectSuccess(
      await ann.api.post('/messages', {
        type: 'channel',
        to: channel.name,
        topic: 'own',
        content: 'mine',
        read_by_sender: true,
      }),
    )
    expect(await unreadIds(ann)).not.toContain(id)
    expect(expectSuccess(await update(ann, [id], 'remove', 'read')).messages).toEqual([id])
    expect(await unreadIds(ann)).toContain(id)
    expect(expectSuccess(await update(ann, [id], 'add', 'read')).messages).toEqual([id])
    expect(await unreadIds(ann)).not.toContain(id)
  })

  it('skips and names channels that the user is not subscribed to', async () => {
    const left = await buildChannel([ann, ben])
    const id = await send(ann, 'bye', 'left', left.name)
    const kept = await sendDirect(ann, [ben])
    expectSuccess(await update(ben, [id, kept], 'add', 'read'))
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
    const body = expectSuccess(await update(ben, [id, kept], 'remove', 'read'))
    expect(body).toMatchObject({ messages: [kept], ignored_because_not_subscribed_channels: [left.id] })
  })

  it('adds a message from before the subscription to the user’s history', async () => {
    const old = await buildChannel([ann])
    const id = await send(ann, 'long ago', 'past', old.name)
    const cid = await buildUser(realm)
    expectSuccess(await cid.api.post('/users/me/subscriptions', { subscriptions: [{ name: old.name }] }))
    expect(await unreadIds(cid)).not.toContain(id)
    expect(expectSuccess(await update(cid, [id], 'remove', 'read')).messages).toEqual([id])
    expect(await unreadIds(cid)).toContain(id)
  })

  it('is refused for a message that the user cannot see, and changes nothing then', async () => {
    const hidden = await sendDirect(ann, [ben])
    const seen = await sendDirect(ann, [guest])
    expectSuccess(await update(guest, [seen], 'add', 'read'))
    const { status, body } = await update(guest, [seen, hidden], 'remove', 'read')
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)'])
    expect(await unreadIds(guest)).not.toContain(seen)
  })

  it('refuses messages of a hidden channel as invalid, without naming the channel', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const id = await send(ann, 'secret', 'x', secret.name)
    const { body } = await update(ben, [id], 'remove', 'read')
    expect(body.msg).toBe('Invalid message(s)')
  })
})

describe('after everything was marked read', () => {
  it('single messages can be unread, and all of them read again', async () => {
    const cid = await buildUser(realm)
    const other = await buildChannel([ann, cid])
    const ids: number[] = []
    for (const content of ['one', 'two', 'three', 'four'])
      ids.push(await send(ann, content, 'floor', other.name))
    expectSuccess(await cid.api.post('/mark_all_as_read'))
    expect(await unreadIds(cid)).toEqual([])
    const [first, , third] = ids as [number, number, number, number]
    expect(expectSuccess(await update(cid, [third, first], 'remove', 'read')).messages).toEqual([
      third,
      first,
    ])
    expect((await unreadIds(cid)).sort((a, b) => a - b)).toEqual([first, third])
    const later = await send(ann, 'five', 'floor', other.name)
    expect((await unreadIds(cid)).sort((a, b) => a - b)).toEqual([first, third, later])
    expectSuccess(await update(cid, [first], 'add', 'read'))
    expect((await unreadIds(cid)).sort((a, b) => a - b)).toEqual([third, later])
    expectSuccess(await cid.api.post('/mark_all_as_read'))
    expect(await unreadIds(cid)).toEqual([])
  })
})

describe('starring', () => {
  it('lasts until it is removed', async () => {
    const id = await send(ann)
    const queue = await openQueue(ben)
    expect(expectSuccess(await update(ben, [id], 'add', 'starred')).messages).toEqual([id])
    expect(await starred(ben)).toContain(id)
    expect(await starred(ann)).not.toContain(id)
    expect(expectSuccess(await update(ben, [id], 'remove', 'starred')).messages).toEqual([id])
    expect(await starred(ben)).not.toContain(id)
    const events = await queue.eventsOf('update_message_flags')
    expect(events.map(({ op, flag, messages }) => [op, flag, messages])).toEqual([
      ['add', 'starred', [id]],
      ['remove', 'starred', [id]],
    ])
  })

  it('hides link previews from oneself alone, in events, messages and narrows', async () => {
    const id = await send(ann)
    const [own, other] = [await openQueue(atLevel(ben, 510)), await openQueue(atLevel(ann, 510))]
    expect(expectSuccess(await update(ben, [id], 'add', 'hide_link_previews')).messages).toEqual([id])
    expect(await own.eventsOf('update_message_flags')).toMatchObject([
      { op: 'add', flag: 'hide_link_previews', messages: [id] },
    ])
    expect(await other.eventsOf('update_message_flags')).toEqual([])
    const flags = async (user: TestUser) =>
      expectSuccess(await atLevel(user, 510).api.get(`/messages/${id}`)).message.flags
    expect(await flags(ben)).toEqual(['hide_link_previews'])
    expect(await flags(ann)).not.toContain('hide_link_previews')
    const narrow = { anchor: id, num_before: 0, num_after: 0, narrow: [], flag: 'hide_link_previews' }
    const { updated_count } = expectSuccess(
      await ben.api.post('/messages/flags/narrow', { ...narrow, op: 'remove' }),
    )
    expect([updated_count, await flags(ben)]).toEqual([1, []])
  })

  it('does not touch other flags', async () => {
    const id = await send(ann)
    expectSuccess(await update(ben, [id], 'add', 'collapsed'))
    expectSuccess(await update(ben, [id], 'add', 'starred'))
    expect(expectSuccess(await update(ben, [id], 'add', 'collapsed')).messages).toEqual([])
    expectSuccess(await update(ben, [id], 'remove', 'collapsed'))
    expect(await starred(ben)).toContain(id)
    expect(await unreadIds(ben)).toContain(id)
  })

  it('of a public message never received adds it to the user’s history, read', async () => {
    const id = await send(ann)
    const cid = await buildUser(realm)
    expect(expectSuccess(await update(cid, [id], 'add', 'starred')).messages).toEqual([id])
    expect(await starred(cid)).toEqual([id])
    expectSuccess(await cid.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await unreadIds(cid)).not.toContain(id)
  })

  it('is refused to a guest who is not subscribed', async () => {
    const { body } = await update(guest, [await send(ann)], 'add', 'starred')
    expect(body.msg).toBe('Invalid message(s)')
  })

  it('is refused for a message that does not exist; removing a star is not', async () => {
    expect((await update(ben, [999_999], 'add', 'starred')).body.msg).toBe('Invalid message(s)')
    expect(expectSuccess(await update(ben, [999_999], 'remove', 'starred')).messages).toEqual([])
  })
})

describe('refused requests', () => {
  it.each([
    'mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'has_alert_word',
    'historical',
  ])('%s is not the user’s to set', async (flag) => {
    for (const op of ['add', 'remove']) {
      const { status, body } = await update(ben, [1], op, flag)
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', `Flag not editable: '${flag}'`])
    }
  })

  it('names an unknown flag, and only then an unknown operation', async () => {
    expect((await update(ben, [1], 'toggle', 'shiny')).body.msg).toBe("Invalid flag: 'shiny'")
    for (const flag of ['wildcard_mentioned', 'group_mentioned']) {
      expect((await update(ben, [1], 'add', flag)).body.msg).toBe(`Invalid flag: '${flag}'`)
    }
    expect((await update(ben, [1], 'toggle', 'read')).body.msg).toBe(
      "Invalid message flag operation: 'toggle'",
    )
  })

  it('names the first parameter that is missing or malformed', async () => {
    const missing = await ben.api.post('/messages/flags', { op: 'add', flag: 'read' })
    expect(missing.body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      msg: "Missing 'messages' argument",
      var_name: 'messages',
    })
    const malformed = await ben.api.post('/messages/flags', { messages: ['a'], op: 'add', flag: 'read' })
    expect(malformed.body.msg).toBe('messages[0] is not an integer')
  })

  it('include those without credentials or from another organization', async () => {
    const params = { messages: [1], op: 'add', flag: 'read' }
    expect((await realm.anonymous.post('/messages/flags', params)).status).toBe(401)
    expect((await update(stranger, [await send(ann)], 'add', 'starred')).body.msg).toBe('Invalid message(s)')
  })
})
