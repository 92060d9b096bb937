import { beforeAll, describe, expect, it } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { bodyDatabase } from '../../support/body-database.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { idsIn, sendDirect, sendTo, untilProjected } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const NEWEST_ANCHOR = 10_000_000_000_000_000

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['ann', 'ben'] } },
)
/** Ten messages in one topic, with one elsewhere between each. */
let ids: number[]

beforeAll(async () => {
  ids = []
  for (let n = 0; n < 10; n += 1) {
    ids.push(await sendTo(ann, room.id, 'range', `message ${n}`))
    await sendTo(ann, room.id, 'between', `other ${n}`)
  }
})

function fetchFrom(user: TestUser, params: Record<string, ParameterValue | undefined>) {
  return user.api.get('/messages', params)
}

/** Returns a range of the topic `range`, in a form that is easy to compare. */
async function range(params: Record<string, ParameterValue | undefined>) {
  const narrow = [
    ['channel', room.name],
    ['topic', 'range'],
  ]
  const { messages, anchor, found_anchor, found_oldest, found_newest, history_limited } = expectSuccess(
    await fetchFrom(ben, { narrow, ...params }),
  )
  expect(history_limited).toBe(false)
  return {
    at: messages.map(({ id }: { id: number }) => ids.indexOf(id)),
    anchor,
    found: [found_anchor, found_oldest, found_newest],
  }
}

describe('a range around an anchor', () => {
  it('has num_before before the anchor and num_after after it, ascending', async () => {
    expect(await range({ anchor: ids[5]!, num_before: 2, num_after: 3 })).toEqual({
      at: [3, 4, 5, 6, 7, 8],
      anchor: ids[5],
      found: [true, false, false],
    })
  })

  it('sets found_oldest and found_newest when fewer are found than asked for', async () => {
    expect(await range({ anchor: ids[5]!, num_before: 6, num_after: 5 })).toMatchObject({
      at: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      found: [true, true, true],
    })
  })

  it('does not set them when an end is reached exactly', async () => {
    expect(await range({ anchor: ids[5]!, num_before: 5, num_after: 4 })).toMatchObject({
      at: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      found: [true, false, false],
    })
  })

  it('newest: the last messages, without an anchor', async () => {
    expect(await range({ anchor: 'newest', num_before: 3, num_after: 0 })).toEqual({
      at: [7, 8, 9],
      anchor: NEWEST_ANCHOR,
      found: [false, false, true],
    })
  })

  it('oldest: the first messages', async () => {
    expect(await range({ anchor: 'oldest', num_before: 0, num_after: 3 })).toEqual({
      at: [0, 1, 2],
      anchor: 0,
      found: [false, true, false],
    })
  })

  it('an anchor outside the narrow works, with found_anchor false', async () => {
    expect(await range({ anchor: ids[5]! + 1, num_before: 1, num_after: 1 })).toMatchObject({
      at: [5, 6],
      found: [false, false, false],
    })
  })

  it('with no messages before and after: the anchor alone, or nothing', async () => {
    expect(await range({ anchor: ids[5]! })).toMatchObject({ at: [5], found: [true, false, false] })
    expect(await range({ anchor: ids[5]! + 1 })).toMatchObject({ at: [], found: [false, false, false] })
  })

  it('include_anchor leaves the anchor out', async () => {
    expect(await range({ anchor: ids[5]!, num_before: 2, include_anchor: false })).toMatchObject({
      at: [3, 4],
      found: [false, false, false],
    })
    expect(await range({ anchor: ids[5]!, num_after: 2, include_anchor: false })).toMatchObject({
      at: [6, 7],
    })
    const both = await fetchFrom(ben, { anchor: ids[5]!, num_before: 1, num_after: 1, include_anchor: false })
    expect(both).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'The anchor can only be excluded at an end of the range' },
    })
  })

  it('ids beyond the ends work like the ends', async () => {
    for (const anchor of ['10000000000', '10000000000000000', '99999999999999999999']) {
      expect(await range({ anchor, num_before: 1 })).toMatchObject({ at: [9] })
    }
    expect(await range({ anchor: '99999999999999999999', num_before: 1 })).toMatchObject({
      anchor: NEWEST_ANCHOR,
    })
    expect(await range({ anchor: -5, num_after: 1 })).toMatchObject({ at: [0], anchor: 0 })
  })
})

describe('the first unread message', () => {
  it('is the anchor, or else the newest end', async () => {
    const cleo = await buildUser(realm, { name: 'Cleo' })
    const hall = await buildChannel([ann, cleo])
    expectSuccess(await cleo.api.post('/mark_all_as_read'))
    const [first, second, third] = [
      await sendTo(ann, hall.id, 'news', '1'),
      await sendTo(ann, hall.id, 'news', '2'),
      await sendTo(ann, hall.id, 'news', '3'),
    ]
    const ask = async (params: Record<string, ParameterValue>) => {
      const { messages, anchor } = expectSuccess(
        await fetchFrom(cleo, { narrow: [['channel', hall.name]], num_before: 1, num_after: 1, ...params }),
      )
      return { anchor, ids: messages.map(({ id }: { id: number }) => id) }
    }
    expectSuccess(await cleo.api.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' }))
    const around = { anchor: second, ids: [first, second, third] }
    expect(await ask({ anchor: 'first_unread' })).toEqual(around)
    expect(await ask({ anchor: 0, use_first_unread_anchor: true })).toEqual(around)
    expectSuccess(await cleo.api.post('/mark_all_as_read'))
    expect(await ask({ anchor: 'first_unread' })).toEqual({ anchor: NEWEST_ANCHOR, ids: [third] })
    expectSuccess(await cleo.api.post('/messages/flags', { messages: [second], op: 'remove', flag: 'read' }))
    expect(await ask({ anchor: 'first_unread' })).toEqual(around)
  })

  it('skips muted topics, and muted channels unless the narrow names them', async () => {
    const dora = await buildUser(realm, { name: 'Dora' })
    const [loud, quiet] = [await buildChannel([ann, dora]), await buildChannel([ann, dora])]
    expectSuccess(await dora.api.post('/mark_all_as_read'))
    const inQuiet = await sendTo(ann, quiet.id, 'hum')
    const muted = await sendTo(ann, loud.id, 'noise')
    const wanted = await sendTo(ann, loud.id, 'signal')
    expectSuccess(
      await dora.api.post('/user_topics', { stream_id: loud.id, topic: 'noise', visibility_policy: 1 }),
    )
    expectSuccess(
      await dora.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: quiet.id, property: 'is_muted', value: true }],
      }),
    )
    const firstIn = async (narrow: ParameterValue) => {
      const { anchor } = expectSuccess(
        await fetchFrom(dora, { anchor: 'first_unread', num_before: 0, num_after: 0, narrow }),
      )
      return anchor
    }
    expect(await firstIn([['channel', loud.name]])).toBe(wanted)
    expect(await firstIn([['channel', quiet.name]])).toBe(inQuiet)
    expect(await firstIn([])).toBe(wanted)
    expect(await idsIn(dora, [['in', 'home']])).toContain(wanted)
    expect(await idsIn(dora, [['in', 'home']])).not.toContain(muted)
    expect(await idsIn(dora, [['in', 'home']])).not.toContain(inQuiet)
    expect(await idsIn(dora, [['is', 'muted']])).toEqual(expect.arrayContaining([inQuiet, muted]))
    expect(await idsIn(dora, [['is', 'muted']])).not.toContain(wanted)
  })
})

describe('messages by their ids', () => {
  it('come ascending, without an anchor; unknown and hidden ones are left out', async () => {
    const secret = await sendDirect(ann, [realm.owner])
    const body = expectSuccess(
      await fetchFrom(ben, { message_ids: [ids[7]!, 999_999, secret, ids[2]!, ids[7]!] }),
    )
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[7]])
    expect(body).not.toHaveProperty('anchor')
    expect(body).toMatchObject({ found_anchor: false, found_oldest: false, found_newest: false })
  })

  it('are filtered by the narrow', async () => {
    const narrow = [['topic', 'between']]
    expect(expectSuccess(await fetchFrom(ben, { message_ids: [ids[2]!], narrow })).messages).toEqual([])
  })

  it('cannot be combined with a range', async () => {
    for (const params of [
      { num_before: 1 },
      { num_after: 1 },
      { anchor: 'newest' },
      { use_first_unread_anchor: true },
    ]) {
      expect((await fetchFrom(ben, { message_ids: [ids[2]!], ...params })).body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Unsupported parameter combination: num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor',
      })
    }
  })
})

describe('requests that make no sense', () => {
  it.each([
    [{}, "Missing 'anchor' argument."],
    [{ anchor: 'middle' }, 'Invalid anchor'],
    [{ anchor: '1.5' }, 'Invalid anchor'],
    [{ anchor: 1, num_before: -1 }, 'num_before is too small'],
    [{ anchor: 1, num_after: 'many' }, 'num_after is not valid JSON'],
    [{ anchor: 1, num_before: 5000, num_after: 1 }, 'Too many messages requested (maximum 5000).'],
    [{ anchor: 1, apply_markdown: 'True' }, 'apply_markdown is not valid JSON'],
    [{ anchor: 1, narrow: 'home' }, 'narrow is not valid JSON'],
    [{ anchor: 1, narrow: {} }, 'narrow is not a list'],
  ] as [Record<string, ParameterValue>, string][])('%j: %s', async (params, msg) => {
    expect(await fetchFrom(ben, params)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } })
  })

  it('ask for at most 5000 ids', async () => {
    const message_ids = Array.from({ length: 5001 }, (_, n) => n)
    expect((await fetchFrom(ben, { message_ids })).body.msg).toBe(
      'Too many messages requested (maximum 5000).',
    )
  })

  it('are refused in the order anchor, `with`, number, ends, narrow', async () => {
    const narrow = [
      ['with', 'x'],
      ['nothing', 'x'],
    ]
    const all = { anchor: 'middle', num_before: 5000, num_after: 1, include_anchor: false, narrow }
    const msgOf = async (params: Record<string, ParameterValue>) =>
      (await fetchFrom(ben, { ...all, ...params })).body.msg
    expect(await msgOf({})).toBe('Invalid anchor')
    expect(await msgOf({ anchor: 1 })).toBe("Invalid narrow operator: Invalid 'with' operator")
    expect(await msgOf({ anchor: 1, narrow: narrow.slice(1) })).toMatch(/^Too many messages/)
    expect(await msgOf({ anchor: 1, narrow: narrow.slice(1), num_before: 1 })).toMatch(/^The anchor can only/)
    expect(await msgOf({ anchor: 1, narrow: narrow.slice(1), num_before: 0 })).toBe(
      'Invalid narrow operator: unknown operator nothing',
    )
  })

  it('need an account', async () => {
    expect(await realm.anonymous.get('/messages', { anchor: 'newest' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
  })
})

describe('a message', () => {
  it('in a channel has all its fields', async () => {
    const id = await sendTo(ann, room.id, 'Fields', '/me *waves*')
    const { messages } = expectSuccess(await fetchFrom(ben, { anchor: id, narrow: [['id', `${id}`]] }))
    expect(messages).toEqual([
      {
        id,
        sender_id: ann.id,
        sender_full_name: 'Ann',
        sender_email: ann.email,
        sender_realm_str: expect.any(String),
        client: 'ParleyTest',
        timestamp: expect.any(Number),
        type: 'stream',
        stream_id: room.id,
        display_recipient: room.name,
        recipient_id: expect.any(Number),
        subject: 'Fields',
        topic_links: [],
        content: '<p>/me <em>waves</em></p>',
        content_type: 'text/html',
        reactions: [],
        submessages: [],
        is_me_message: true,
        avatar_url: null,
        flags: [],
      },
    ])
  })

  it('comes as Markdown when asked, with the avatar’s URL for clients that want it', async () => {
    const id = await sendTo(ann, room.id, 'Fields', 'so **bold**')
    const { messages } = expectSuccess(
      await fetchFrom(ben, { anchor: id, apply_markdown: false, client_gravatar: false }),
    )
    expect(messages[0]).toMatchObject({
      content: 'so **bold**',
      content_type: 'text/x-markdown',
      avatar_url: expect.stringMatching(/^https:\/\/secure\.gravatar\.com\/avatar\//),
    })
  })

  it('in the empty topic has its display name for older clients', async () => {
    const id = await sendTo(ann, room.id, '', 'untitled')
    const subjectFor = async (params: Record<string, ParameterValue>) =>
      expectSuccess(await fetchFrom(ben, { anchor: id, ...params })).messages[0].subject
    expect(await subjectFor({})).toBe('general chat')
    expect(await subjectFor({ allow_empty_topic_name: true })).toBe('')
    expect(await idsIn(ben, [['topic', 'general chat']])).toContain(id)
    expect(await idsIn(ben, [['topic', '']])).toContain(id)
  })

  it('keeps its topic’s spelling; any spelling finds all', async () => {
    const lunch = await buildChannel([ann, ben])
    const readers = [
      [ann, await openQueue(ann)],
      [ben, await openQueue(ben)],
    ] as const
    const names = ['Lunch', 'lunch', 'LUNCH', 'Lunch']
    const sent: number[] = []
    for (const name of names) sent.push(await sendTo(ann, lunch.id, name))
    const expected = names.map((name, index) => [sent[index], name])
    type ShownMessage = { id: number; subject: string }
    for (const [reader, queue] of readers) {
      const events = await queue.eventsOf('message')
      expect(events.map(({ message }) => [message.id, message.subject])).toEqual(expected)
      const narrow = [
        ['channel', lunch.name],
        ['topic', 'lUNCH'],
      ]
      const { messages } = expectSuccess(await fetchFrom(reader, { anchor: 'oldest', num_after: 9, narrow }))
      expect(messages.map(({ id, subject }: ShownMessage) => [id, subject])).toEqual(expected)
    }
    const unread = async () => {
      const { snapshot } = await openQueue(ben, { fetch_event_types: ['message', 'update_message_flags'] })
      return snapshot.unread_msgs.streams.filter((one: { unread_message_ids: number[] }) =>
        one.unread_message_ids.includes(sent[0]!),
      )
    }
    expect(await unread()).toEqual([{ stream_id: lunch.id, topic: 'Lunch', unread_message_ids: sent }])
    const read = { messages: [sent[3]!], op: 'add', flag: 'read' }
    expectSuccess(await ben.api.post('/messages/flags', read))
    expect(await unread()).toMatchObject([{ topic: 'LUNCH', unread_message_ids: sent.slice(0, 3) }])
    const bens = readers[1][1]
    await bens.events()
    expectSuccess(await ben.api.post('/messages/flags', { ...read, messages: [sent[1]!], op: 'add' }))
    expectSuccess(await ben.api.post('/messages/flags', { ...read, messages: [sent[1]!], op: 'remove' }))
    const [, again] = await bens.eventsOf('update_message_flags')
    expect(again?.message_details).toMatchObject({ [sent[1]!]: { topic: 'lunch' } })
    expectSuccess(await realm.owner.api.delete(`/messages/${sent[2]}`))
    expect(await bens.eventsOf('delete_message')).toMatchObject([{ topic: 'LUNCH' }])
  })

  it('between two people names the other one for each of them', async () => {
    const id = await sendDirect(ann, [ben], 'psst')
    const seenBy = async (user: TestUser) => expectSuccess(await fetchFrom(user, { anchor: id })).messages[0]
    const [forAnn, forBen] = [await seenBy(ann), await seenBy(ben)]
    expect(forBen).toMatchObject({ type: 'private', subject: '', topic_links: [], flags: [] })
    expect(forBen).not.toHaveProperty('stream_id')
    const byEmail = [ann, ben].sort((a, b) => (a.email < b.email ? -1 : 1)).map(({ id }) => id)
    expect(forBen.display_recipient.map((user: { id: number }) => user.id)).toEqual(byEmail)
    expect(forAnn.recipient_id).not.toBe(forBen.recipient_id)
    const answer = await sendDirect(ben, [ann], 'yes?')
    const toAnn = expectSuccess(await fetchFrom(ann, { anchor: answer })).messages[0]
    expect(toAnn.recipient_id).toBe(forAnn.recipient_id)
  })

  it('has its reactions in order, with their users', async () => {
    const id = await sendTo(ann, room.id, 'Fields', 'react!')
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'heart' }))
    const { messages } = expectSuccess(await fetchFrom(ben, { anchor: id }))
    expect(messages[0].reactions).toEqual([
      {
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
        user_id: ben.id,
        user: { id: ben.id, email: ben.email, full_name: 'Ben', is_mirror_dummy: false },
      },
      expect.objectContaining({ emoji_name: 'heart', user_id: ann.id }),
    ])
  })
})

describe('bodies', () => {
  const contents = async (user: TestUser, topic: string) =>
    expectSuccess(
      await fetchFrom(user, { anchor: 'newest', num_before: 50, num_after: 0, narrow: [['topic', topic]] }),
    ).messages.map(({ content }: { content: string }) => content)

  it('are returned at once, while D1 is down, after an eviction, and from D1', async () => {
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 is down')) : call())
    const sent = [await sendTo(ann, room.id, 'bodies', 'one'), await sendTo(ann, room.id, 'bodies', 'two')]
    const expected = ['<p>one</p>', '<p>two</p>']
    expect(await contents(ben, 'bodies')).toEqual(expected)
    await evictRealm(realm.id)
    expect(await contents(ben, 'bodies')).toEqual(expected)
    world.d1 = (call) => call()
    sent.push(await sendTo(ann, room.id, 'bodies', 'three'))
    await untilProjected(realm, sent)
    await evictRealm(realm.id)
    expect(await contents(ben, 'bodies')).toEqual([...expected, '<p>three</p>'])
  })

  it('have the version in the index, though D1 is behind', async () => {
    const id = await sendTo(ann, room.id, 'versions', 'before')
    await untilProjected(realm, [id])
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 is down')) : call())
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'after' }))
    expect(await contents(ben, 'versions')).toEqual(['<p>after</p>'])
    await evictRealm(realm.id)
    expect(await contents(ben, 'versions')).toEqual(['<p>after</p>'])
  })

  it('of a message deleted during the fetch: it is left out', async () => {
    // A realm object that wakes up reads from D1 too.
    world.evictable = false
    const [kept, gone] = [
      await sendTo(ann, room.id, 'race', 'kept'),
      await sendTo(ann, room.id, 'race', 'gone'),
    ]
    await untilProjected(realm, [kept, gone])
    let deleted = false
    // A copy of D1 that is behind may still have the text, so there is none.
    world.copy = undefined
    world.d1 = async (call, kind) => {
      if (kind === 'read' && !deleted) {
        deleted = true
        expectSuccess(await realm.owner.api.delete(`/messages/${gone}`))
        await untilGone(gone)
      }
      return call()
    }
    expect(await contents(ben, 'race')).toEqual(['<p>kept</p>'])
    expect(deleted).toBe(true)
  })
})

async function untilGone(id: number): Promise<void> {
  for (let attempt = 0; attempt < 1_500; attempt += 1) {
    const row = await bodyDatabase
      .prepare('SELECT 1 FROM message_body WHERE realm_id = ? AND message_id = ?')
      .bind(realm.id, id)
      .first()
    if (!row) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('D1 still has the message')
}
