import { beforeAll, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import type { Json } from '../support/json.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
let snapshot: Json
beforeAll(async () => {
  snapshot = (await openQueue(ann)).snapshot
})

describe('8 Limits', () => {
  it('status_text: 60 characters, not bytes', async () => {
    expectSuccess(await ann.api.post('/users/me/status', { status_text: '🌱'.repeat(60) }))
    expectRefusal(
      await ann.api.post('/users/me/status', { status_text: '🌱'.repeat(61) }),
      'status_text is too long (limit: 60 characters)',
    )
  })

  it('welcome_message_custom_text: 8000 characters', async () => {
    const invite = (length: number) =>
      realm.owner.api.post('/invites', {
        invitee_emails: `welcome-${length}@example.com`,
        stream_ids: [],
        welcome_message_custom_text: 'w'.repeat(length),
      })
    expectSuccess(await invite(8_000))
    expectRefusal(await invite(8_001), 'welcome_message_custom_text is too long (limit: 8000 characters)')
  })

  it('invitations expire after 14400 minutes by default', async () => {
    expectSuccess(await ann.api.post('/invites', { invitee_emails: 'ten@example.com', stream_ids: [] }))
    const [{ invited, expiry_date }] = expectSuccess(await ann.api.get('/invites')).invites
    expect(expiry_date - invited).toBe(14_400 * 60)
  })

  it('presence goes back 14 days by default', async () => {
    const seen = await buildUser(realm)
    expectSuccess(await seen.api.post('/users/me/presence', { status: 'active' }))
    const sees = async () => {
      const params = { status: 'active', last_update_id: -1 }
      const { presences } = expectSuccess(await ann.api.post('/users/me/presence', params))
      return String(seen.id) in presences
    }
    world.clockOffset = 13 * 86_400
    expect(await sees()).toBe(true)
    world.clockOffset = 15 * 86_400
    expect(await sees()).toBe(false)
  })

  it('partial subscribers: all bots and all recently active users are among them', async () => {
    const { user_id: bot } = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Counted', short_name: 'counted' }),
    )
    const channel = await buildChannel([ann, ben])
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: [bot],
      }),
    )
    const { subscriptions } = (await openQueue(ann, { include_subscribers: 'partial' })).snapshot
    const found = subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
    const listed = found.subscribers ?? found.partial_subscribers
    expect(listed).toEqual(expect.arrayContaining([ann.id, ben.id, bot]))
  })

  it('max_message_length: what is longer is cut to it', async () => {
    const id = await sendTo(ann, 'general', 'x', 'é'.repeat(snapshot.max_message_length + 1))
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`, { apply_markdown: false }))
    expect([...message.content]).toHaveLength(snapshot.max_message_length)
  })

  it('max_topic_length: what is longer is cut to it', async () => {
    const id = await sendTo(ann, 'general', '🌱'.repeat(snapshot.max_topic_length + 1))
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect([...message.subject]).toHaveLength(snapshot.max_topic_length)
  })

  it('max_stream_name_length', async () => {
    const create = (length: number) =>
      ann.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'n'.repeat(length) }] })
    expectSuccess(await create(snapshot.max_stream_name_length))
    expectRefusal(
      await create(snapshot.max_stream_name_length + 1),
      `Channel name too long (limit: ${snapshot.max_stream_name_length} characters).`,
    )
  })

  it('max_stream_description_length', async () => {
    const create = (length: number) =>
      ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: `described ${length}`, description: 'd'.repeat(length) }],
      })
    expectSuccess(await create(snapshot.max_stream_description_length))
    expect((await create(snapshot.max_stream_description_length + 1)).body.code).toBe('BAD_REQUEST')
  })

  it('register has the time limits of editing and moving', () => {
    expect(snapshot).toMatchObject({
      realm_message_content_edit_limit_seconds: 600,
      realm_move_messages_within_stream_limit_seconds: 604_800,
      realm_move_messages_between_streams_limit_seconds: 604_800,
    })
  })

  it('the limits of invitations are reported in a failure', async () => {
    const { body } = await ann.api.post('/invites', { invitee_emails: ben.email, stream_ids: [] })
    expect(body).toMatchObject({
      code: 'INVITATION_FAILED',
      daily_limit_reached: false,
      license_limit_reached: false,
    })
  })

  it('a poll ends with a heartbeat, before the time-out announced to clients', async () => {
    world.pollHoldSeconds = 1
    const queue = await openQueue(ann, { event_types: ['alert_words'] })
    const started = Date.now()
    expect((await queue.poll()).map(({ type }) => type)).toEqual(['heartbeat'])
    expect(Date.now() - started).toBeLessThan(snapshot.event_queue_longpoll_timeout_seconds * 1_000)
  }, 30_000)

  it('an account may make more requests in a minute than a person needs', async () => {
    world.limited = true
    const { headers, status } = await ann.api.get('/users/me')
    expect(status).toBe(200)
    expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThanOrEqual(200)
  })
})
