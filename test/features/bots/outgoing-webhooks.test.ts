import { describe, expect, it } from 'vitest'
import type { ApiClient } from '../../support/api.ts'
import { buildChannel, buildUser, createBot, expectSuccess } from '../../support/factories.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { fromJson } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { receiveWebhooks } from '../../support/webhooks.ts'

const { realm, keeper, writer, guest, admin } = useRealm({
  keeper: 'member',
  writer: 'member',
  guest: 'guest',
  admin: 'administrator',
})
const { owner: stranger } = useRealm()
const server = receiveWebhooks(realm)

const listOf = (by: { api: ApiClient }, id: number) => by.api.get(`/bots/${id}/deliveries`)
const deliveries = async (id: number) => expectSuccess(await listOf(keeper, id)).deliveries
const resend = (by: { api: ApiClient }, id: number, delivery: number) =>
  by.api.post(`/bots/${id}/deliveries/${delivery}/resend`)

describe('the deliveries of an outgoing webhook', () => {
  it('are its tries, newest first, with status, time and the beginning of the answer', async () => {
    const hook = await server.build(keeper)
    server.answer = () => new Response(`no ${'ä'.repeat(600)}`, { status: 503 })
    const messageId = await sendDirect(writer, [hook], 'are you there?')
    await server.work()
    server.answer = () => Response.json({ content: 'Here.' }, { status: 201 })
    await server.work(10)
    const [second, first, ...others] = await deliveries(hook.id)
    expect(others).toEqual([])
    expect(first).toEqual({
      id: expect.any(Number),
      webhook_id: server.posted[0]!.headers['webhook-id'],
      trigger: 'direct_message',
      message_id: messageId,
      event: null,
      timestamp: Number(server.posted[0]!.headers['webhook-timestamp']),
      attempt: 1,
      status: 503,
      ms: expect.any(Number),
      answer: `no ${'ä'.repeat(498)}`,
      error: 'it answered with the status 503.',
    })
    expect(second).toMatchObject({ attempt: 2, status: 201, answer: '{"content":"Here."}', error: null })
    expect(second.webhook_id).toBe(first.webhook_id)
    expect(second.id).toBeGreaterThan(first.id)
    expect(JSON.stringify([first, second])).not.toContain('are you there?')
  })

  it('say why there was no answer, and why an answer could not be sent', async () => {
    const hook = await server.build(keeper)
    server.answer = () => Promise.reject(new TypeError('connection refused'))
    await sendDirect(writer, [hook])
    await server.work()
    expect(await deliveries(hook.id)).toMatchObject([
      { status: null, answer: '', error: 'it could not be reached.' },
    ])
    const other = await server.build(keeper)
    const room = await buildChannel([writer])
    server.answer = () => Response.json({ content: 'x'.repeat(20_000), widget_content: 'no JSON' })
    await sendTo(writer, room.id, 'calls', `@**${other.name}**`)
    await server.work(60)
    const [newest] = await deliveries(other.id)
    expect(newest).toMatchObject({ trigger: 'mention', status: 200 })
    expect(newest.error).not.toBeNull()
    expect(newest.answer).toHaveLength(1_000)
  })

  it('are the last hundred of the bot', async () => {
    const hook = await server.build(keeper)
    await sendDirect(writer, [hook])
    await server.work()
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 99)
         INSERT INTO webhook_delivery SELECT bot_id, n, webhook_id, cause, message_id, event, at, attempt, status, ms, answer, error
         FROM webhook_delivery, number WHERE bot_id = ?`,
        hook.id,
      ),
    )
    const all = await deliveries(hook.id)
    await sendDirect(writer, [hook])
    await server.work()
    const later = await deliveries(hook.id)
    expect(later).toHaveLength(100)
    expect(later.slice(1)).toEqual(all.slice(0, 99))
    const rows = await inRealm(realm, ({ parts }) =>
      parts.sql.first(`SELECT count(*) AS n FROM webhook_delivery WHERE bot_id = ?`, hook.id),
    )
    expect(rows).toEqual({ n: 100 })
  })

  it('are shown to its owner alone', async () => {
    const hook = await server.build(keeper)
    expectSuccess(await listOf(keeper, hook.id))
    const generic = await createBot(keeper, 'Deaf')
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    const ways = [listOf, (by: { api: ApiClient }, id: number) => resend(by, id, 1)]
    for (const ask of ways) {
      for (const by of [writer, admin, realm.owner]) {
        expectRefusal(await ask(by, hook.id), 'No such outgoing webhook')
      }
      expectRefusal(await ask(stranger, hook.id), 'No such outgoing webhook')
      expectRefusal(await ask(admin, 9_999_999), 'No such outgoing webhook')
      expectRefusal(await ask(keeper, generic.id), 'No such outgoing webhook')
      expectRefusal(await ask(guest, hook.id), 'Not allowed for guest users')
      expectRefusal(await ask(generic, hook.id), 'This endpoint does not accept bot requests.')
      expect((await ask(gone, hook.id)).status).toBe(401)
      expectUnauthorized(await ask({ api: realm.anonymous }, hook.id))
    }
    expectSuccess(await admin.api.patch(`/bots/${hook.id}`, { bot_owner_id: writer.id }))
    for (const ask of ways) expectRefusal(await ask(keeper, hook.id), 'No such outgoing webhook')
    expectSuccess(await listOf(writer, hook.id))
  })
})

describe('a delivery that is sent again', () => {
  it('is the same call with the message as it is now', async () => {
    const hook = await server.build(keeper)
    const id = await sendDirect(writer, [hook], 'first text')
    await server.work()
    expectSuccess(await writer.api.patch(`/messages/${id}`, { content: '*second* text' }))
    const [delivery] = await deliveries(hook.id)
    expectSuccess(await resend(keeper, hook.id, delivery.id))
    await server.work()
    const [first, second] = server.posted
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(fromJson(second!.body)).toMatchObject({
      trigger: 'direct_message',
      data: '*second* text',
      message: { id, rendered_content: '<p><em>second</em> text</p>' },
    })
    expect(fromJson(second!.body).message).not.toHaveProperty('flags')
    expect(await deliveries(hook.id)).toHaveLength(2)
  })

  it('is made at once, and not twice, while it waits for its next try', async () => {
    const hook = await server.build(keeper)
    server.answer = () => new Response('', { status: 500 })
    await sendDirect(writer, [hook], 'again?')
    await server.work()
    const [delivery] = await deliveries(hook.id)
    server.answer = () => new Response('{}')
    expectSuccess(await resend(keeper, hook.id, delivery.id))
    await server.work()
    expect(server.posted).toHaveLength(2)
    await server.work(600)
    expect(server.posted).toHaveLength(2)
    expect((await deliveries(hook.id))[0]).toMatchObject({ attempt: 2, status: 200 })
  })

  it('needs a message that the bot can read now, and a bot that is active', async () => {
    const hook = await server.build(keeper)
    const room = await buildChannel([writer], { invite_only: true })
    const subscriptions = JSON.stringify([{ name: room.name }])
    expectSuccess(await writer.api.post('/users/me/subscriptions', { subscriptions, principals: [hook.id] }))
    await sendTo(writer, room.id, 'calls', `@**${hook.name}** hello`)
    const direct = await sendDirect(writer, [hook])
    await server.work()
    await server.work()
    const [second, first] = await deliveries(hook.id)
    expect([first.trigger, second.trigger]).toEqual(['mention', 'direct_message'])
    expectSuccess(
      await realm.owner.api.delete('/users/me/subscriptions', {
        subscriptions: [room.name],
        principals: [hook.id],
      }),
    )
    expectRefusal(await resend(keeper, hook.id, first.id), 'Invalid message(s)')
    expectSuccess(await writer.api.delete(`/messages/${direct}`))
    expectRefusal(await resend(keeper, hook.id, second.id), 'Invalid message(s)')
    expectRefusal(await resend(keeper, hook.id, 1), 'No such delivery')
    const other = await server.build(keeper)
    expectRefusal(await resend(keeper, other.id, first.id), 'No such delivery')
    expectSuccess(await keeper.api.delete(`/bots/${hook.id}`))
    expectRefusal(await resend(keeper, hook.id, first.id), 'No such delivery')
    await server.work(60)
    expect(server.posted).toHaveLength(2)
  })
})
