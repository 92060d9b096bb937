import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { evictRealm } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm, insertUsers } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

afterEach(() => {
  world.clockOffset = 0
})

async function send(from: TestUser, content = 'hello', topic = 'edits', to: string = channel.name) {
  const { id } = expectSuccess(await from.api.post('/messages', { type: 'channel', to, topic, content }))
  return id as number
}

async function sendDirect(from: TestUser, to: readonly TestUser[], content = 'psst') {
  const ids = to.map(({ id }) => id)
  return expectSuccess(await from.api.post('/messages', { type: 'direct', to: ids, content })).id as number
}

function edit(user: TestUser, id: number, params: Record<string, ParameterValue>) {
  return user.api.patch(`/messages/${id}`, params)
}

async function fetchMessage(user: TestUser, id: number): Promise<Json> {
  const { message } = expectSuccess(
    await user.api.get(`/messages/${id}`, { allow_empty_topic_name: true, apply_markdown: false }),
  )
  return message
}

async function flags(user: TestUser, id: number): Promise<string[]> {
  return (await fetchMessage(user, id)).flags
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('editing the content', () => {
  it('returns no detached uploads, notifies both users, and is what they read afterwards', async () => {
    const id = await send(ann, 'first *words*')
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const answer = await edit(ann, id, { content: 'second **words**' })
    expect(expectSuccess(answer)).toEqual({ result: 'success', msg: '', detached_uploads: [] })
    const facts = {
      type: 'update_message',
      user_id: ann.id,
      message_id: id,
      message_ids: [id],
      rendering_only: false,
      stream_id: channel.id,
      stream_name: channel.name,
      orig_content: 'first *words*',
      orig_rendered_content: '<p>first <em>words</em></p>',
      content: 'second **words**',
      rendered_content: '<p>second <strong>words</strong></p>',
      is_me_message: false,
    }
    const [own] = await anns.eventsOf('update_message')
    const [other] = await bens.eventsOf('update_message')
    expect(own).toMatchObject(facts)
    expect(other).toMatchObject({ ...facts, flags: [] })
    for (const name of ['orig_subject', 'subject', 'topic_links', 'propagate_mode', 'new_stream_id']) {
      expect(other).not.toHaveProperty(name)
    }
    const read = await fetchMessage(ben, id)
    expect(read.content).toBe('second **words**')
    expect(read.last_edit_timestamp).toBeGreaterThanOrEqual(read.timestamp)
    expect(read).not.toHaveProperty('last_moved_timestamp')
    expect(read.edit_history).toEqual([
      {
        user_id: ann.id,
        timestamp: read.last_edit_timestamp,
        prev_content: 'first *words*',
        prev_rendered_content: '<p>first <em>words</em></p>',
      },
    ])
  })

  it('keeps the history newest first, also after an eviction', async () => {
    const id = await send(ann, 'one')
    for (const content of ['two', 'three']) expectSuccess(await edit(ann, id, { content }))
    await evictRealm(realm.id)
    expectSuccess(await edit(ann, id, { content: 'four' }))
    const { edit_history } = await fetchMessage(ben, id)
    expect(edit_history.map((entry: { prev_content: string }) => entry.prev_content)).toEqual([
      'three',
      'two',
      'one',
    ])
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${id}/history`))
    expect(message_history.map((one: { content: string }) => one.content)).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
  })

  it('in a conversation is sent to its participants, without channel and topic', async () => {
    const carl = await buildUser(realm)
    const id = await sendDirect(ann, [ben])
    const [bens, carls] = [await openQueue(ben), await openQueue(carl)]
    expectSuccess(await edit(ann, id, { content: 'louder' }))
    const [event] = await bens.eventsOf('update_message')
    expect(event).toMatchObject({ message_id: id, content: 'louder', flags: [] })
    expect(event).not.toHaveProperty('stream_id')
    expect(await carls.eventsOf('update_message')).toEqual([])
    expect((await fetchMessage(ben, id)).content).toBe('louder')
  })

  it('stores "(deleted)" for nothing, trims white space, and truncates what is too long', async () => {
    const id = await send(ann)
    expectSuccess(await edit(ann, id, { content: ' \n\t ' }))
    expect((await fetchMessage(ann, id)).content).toBe('(deleted)')
    expectSuccess(await edit(ann, id, { content: '\n\n  indented  \n' }))
    expect((await fetchMessage(ann, id)).content).toBe('  indented')
    expectSuccess(await edit(ann, id, { content: 'x'.repeat(10_001) }))
    const { content } = await fetchMessage(ann, id)
    expect(content).toHaveLength(10_000)
    expect(content).toMatch(/x\n\[message truncated\]$/)
    expectRefusal(await edit(ann, id, { content: 'a\0b' }), 'Message must not contain null bytes')
  })

  it('updates mention flags, and makes nothing unread', async () => {
    const carl = await buildUser(realm, { name: 'Carl' })
    const id = await send(ann, `hello @**${ben.fullName}**`)
    expect(await flags(ben, id)).toContain('mentioned')
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    const bens = await openQueue(ben)
    expectSuccess(await edit(ann, id, { content: `hello @**${ann.fullName}** and @**${carl.fullName}**` }))
    expect((await bens.eventsOf('update_message'))[0]?.flags).toEqual(['read'])
    expect(await flags(ben, id)).toEqual(['read'])
    expect(await flags(ann, id)).toContain('mentioned')
    // Carl is not subscribed: without a record he is not mentioned either.
    expect(await flags(carl, id)).toEqual(['read', 'historical'])
    expectSuccess(await edit(ann, id, { content: `hello again @**${ben.fullName}**` }))
    expect((await bens.eventsOf('update_message'))[0]?.flags).toEqual(['read', 'mentioned'])
    expect(await flags(ann, id)).not.toContain('mentioned')
  })

  it('with a new wildcard mention flags it for everybody who has the message', async () => {
    const id = await send(ann, 'hello')
    const bens = await openQueue(ben)
    expectSuccess(await edit(ann, id, { content: 'hello @**all**' }))
    const [event] = await bens.eventsOf('update_message')
    expect(event?.flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned'])
    expectSuccess(await edit(ann, id, { content: 'hello' }))
    expect(await flags(ben, id)).toContain('stream_wildcard_mentioned')
  })

  it('renders status messages, links and images again from the text alone', async () => {
    const id = await send(ann, 'plain')
    const bens = await openQueue(ben)
    expectSuccess(await edit(ann, id, { content: '/me sees http://example.com' }))
    expect((await bens.eventsOf('update_message'))[0]?.is_me_message).toBe(true)
    const narrow = [{ operator: 'has', operand: 'link' }]
    const found = expectSuccess(await ben.api.get('/messages', { anchor: 'newest', num_before: 50, narrow }))
    expect(found.messages.map((message: { id: number }) => message.id)).toContain(id)
    expect((await fetchMessage(ben, id)).is_me_message).toBe(true)
  })
})

describe('who may not edit the content', () => {
  it('anybody but the sender: no role and no bot owner may', async () => {
    const id = await send(ann)
    for (const user of [ben, realm.owner]) {
      expectRefusal(await edit(user, id, { content: 'x' }), "You don't have permission to edit this message")
    }
    expect((await fetchMessage(ann, id)).content).toBe('hello')
  })

  it('users who cannot see the message: “invalid”, whatever else is wrong', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const id = await send(ann, 'secret', 'x', secret.name)
    for (const user of [ben, guest, realm.owner]) {
      expectRefusal(await edit(user, id, { content: 'x', stream_id: channel.id }), 'Invalid message(s)')
      expectRefusal(await edit(user, id, {}), 'Invalid message(s)')
    }
    expectRefusal(await edit(ben, 999_999, { content: 'x' }), 'Invalid message(s)')
    const open = await send(ann)
    expectRefusal(await edit(guest, open, { topic: 'y' }), 'Invalid message(s)')
  })

  it('a former subscriber of a private channel, a deactivated account, or no account', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    const id = await send(ben, 'mine', 'x', secret.name)
    expectSuccess(await edit(ben, id, { content: 'still mine' }))
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [secret.name] }))
    expectRefusal(await edit(ben, id, { content: 'x' }), 'Invalid message(s)')
    expectUnauthorized(await realm.anonymous.patch(`/messages/${id}`, { content: 'x' }))

    const gone = await buildUser(realm)
    const left = await send(gone)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectRefusal(await edit(gone, left, { content: 'x' }), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
  })

  it('an account of another organization', async () => {
    const id = await send(ann)
    expectRefusal(await stranger.api.patch(`/messages/${id}`, { content: 'x' }), 'Invalid message(s)')
  })

  it('the sender, once the organization turns editing off, or when the time is over', async () => {
    const id = await send(ann)
    world.clockOffset = 615
    expectSuccess(await edit(ann, id, { content: 'within the slack' }))
    world.clockOffset = 625
    expectRefusal(
      await edit(ann, id, { content: 'too late' }),
      'The time limit for editing this message has passed',
    )
    await turnRealmSettings(realm, { message_content_edit_limit_seconds: null })
    expectSuccess(await edit(ann, id, { content: 'no limit' }))
    await turnRealmSettings(realm, { allow_message_editing: false })
    expectRefusal(await edit(ann, id, { content: 'x' }), 'Your organization has turned off message editing')
    // A move does not count as an edit.
    expectSuccess(await edit(ann, id, { topic: 'elsewhere' }))
    await turnRealmSettings(realm, { allow_message_editing: true, message_content_edit_limit_seconds: 600 })
  })
})

describe('a refused edit', () => {
  it('is refused in the documented order', async () => {
    const id = await send(ann)
    const refused: [Record<string, ParameterValue>, string][] = [
      [{}, 'Nothing to change'],
      [{ topic: ' edits ' }, 'Nothing to change'],
      [{ prev_content_sha256: sha256('other') }, 'Nothing to change'],
      [{ propagate_mode: 'change_all' }, 'Nothing to change'],
      [{ content: 'x', propagate_mode: 'change_later' }, 'Invalid propagate_mode without topic edit'],
      [{ topic: '✔' }, 'General chat cannot be marked as resolved'],
      [{ topic: '✔ general chat', content: 'x' }, 'General chat cannot be marked as resolved'],
      [{ topic: 'a\u0007' }, 'Invalid character in topic, at position 2!'],
      [{ stream_id: channel.id, content: 'x' }, 'Cannot change message content while changing channel'],
      [{ propagate_mode: 'change_some' }, 'Invalid propagate_mode'],
      [{ stream_id: 'x' }, 'stream_id is not valid JSON'],
    ]
    for (const [params, msg] of refused) expectRefusal(await edit(ann, id, params), msg)
    const both = { topic: 'a', subject: 'b' }
    expect((await edit(ann, id, both)).body.code).toBe('REQUEST_CONFUSING_VAR')
    expect((await fetchMessage(ann, id)).subject).toBe('edits')
  })

  it('gives a direct message a channel or topic; an empty topic is ignored', async () => {
    const id = await sendDirect(ann, [ben])
    expectRefusal(
      await edit(ann, id, { stream_id: channel.id }),
      'Direct messages cannot be moved to channels.',
    )
    expectRefusal(await edit(ann, id, { topic: 'x' }), 'Direct messages cannot have topics.')
    expectRefusal(await edit(ann, id, { topic: '' }), 'Nothing to change')
    expectSuccess(await edit(ann, id, { topic: '', content: 'x' }))
  })

  it('gives a poll another text', async () => {
    const id = await send(ann, '/poll Which?\nthis\nthat')
    expectRefusal(await edit(ann, id, { content: 'x' }), 'Widgets cannot be edited.')
  })

  it('names the hash of a text that has changed meanwhile', async () => {
    const id = await send(ann, 'as Ann knows it')
    const known = sha256('as Ann knows it')
    expectSuccess(await edit(ann, id, { content: 'as it is now', prev_content_sha256: known }))
    const mismatch = "'prev_content_sha256' value does not match the expected value."
    const answer = await edit(ann, id, { content: 'x', prev_content_sha256: known })
    expectRefusal(answer, mismatch, { code: 'EXPECTATION_MISMATCH' })
    const moved = await edit(ann, id, { topic: 'other', prev_content_sha256: known })
    expectRefusal(moved, mismatch, { code: 'EXPECTATION_MISMATCH' })
    expectSuccess(await edit(ann, id, { topic: 'other', prev_content_sha256: sha256('as it is now') }))
  })

  it('mentions more people than the sender may', async () => {
    const large = await buildChannel([ann])
    await insertUsers(realm, 16, large.id)
    const id = await send(ann, 'quiet', 'x', large.name)
    expectRefusal(
      await edit(ann, id, { content: '@**all**' }),
      'You do not have permission to use channel wildcard mentions in this channel.',
      { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
    )
    const owners = await send(realm.owner, 'quiet', 'x', large.name)
    expectSuccess(await edit(realm.owner, owners, { content: '@**all**' }))
    expect((await fetchMessage(ann, id)).content).toBe('quiet')
  })
})

describe('edits in quick succession', () => {
  it('leave the last of them in D1', async () => {
    const id = await send(ann, 'zero')
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 is down')) : call())
    for (const n of [1, 2, 3]) expectSuccess(await edit(ann, id, { content: `edit ${n}` }))
    world.d1 = (call) => call()
    world.clockOffset = 120
    await inRealm(realm, ({ parts }) => parts.projector.retry())
    await evictRealm(realm.id)
    const message = await fetchMessage(ben, id)
    expect(message.content).toBe('edit 3')
    expect(message.edit_history.map((one: { prev_content: string }) => one.prev_content)).toEqual([
      'edit 2',
      'edit 1',
      'zero',
    ])
  })

  it('are all in the history', async () => {
    const id = await send(ann, 'zero')
    const answers = await Promise.all([1, 2, 3].map((n) => edit(ann, id, { content: `edit ${n}` })))
    for (const answer of answers) expectSuccess(answer)
    const { edit_history } = await fetchMessage(ann, id)
    expect(edit_history).toHaveLength(3)
    expect(edit_history[2].prev_content).toBe('zero')
  })
})
