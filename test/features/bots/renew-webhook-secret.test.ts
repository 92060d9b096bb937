import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { ApiClient } from '../../support/api.ts'
import { buildChannel, buildUser, createBot, expectSuccess } from '../../support/factories.ts'
import { fromJson } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { useRealm } from '../../support/use-realm.ts'
import { type PostedWebhook, receiveWebhooks } from '../../support/webhooks.ts'
import { world } from '../../support/world.ts'

const { realm, keeper, other, guest, admin } = useRealm({
  keeper: 'member',
  other: 'member',
  guest: 'guest',
  admin: 'administrator',
})
const { owner: stranger } = useRealm()
const server = receiveWebhooks(realm)

const renew = (by: { api: ApiClient }, id: number, key?: string) =>
  by.api.request(
    'POST',
    `/bots/${id}/webhook_secret`,
    {},
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  )

/** Whether the library of the standard takes a call for one of who has the secret. It compares times with the real clock. */
function verifies(secret: string, { headers, body }: PostedWebhook): boolean {
  const webhook = new Webhook(secret)
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  return signatures!.split(' ').includes(webhook.sign(id!, new Date(Number(timestamp) * 1_000), body))
}

describe('the calls of an outgoing webhook', () => {
  it('are signed as Standard Webhooks are, in both formats', async () => {
    world.clockOffset = 0
    const room = await buildChannel([other])
    for (const interface_type of [1, 2]) {
      const hook = await server.build(keeper, { interface_type })
      expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      await sendTo(other, room.id, 'signed', `@**${hook.name}** hello`)
      await server.work()
      const { headers, body } = server.posted.at(-1)!
      expect(() => new Webhook(hook.secret).verify(body, headers, { jsonParse: false })).not.toThrow()
      const forged = body.replace('hello', 'hullo')
      expect(() => new Webhook(hook.secret).verify(forged, headers, { jsonParse: false })).toThrow()
    }
  })

  it('keep their id at every try, and have the time of the try', async () => {
    const hook = await server.build(keeper)
    server.answer = () => new Response('', { status: 503 })
    await sendDirect(other, [hook], 'again')
    await server.work()
    await server.work(10)
    const [first, second] = server.posted
    expect(first!.headers['webhook-id']).toMatch(/^msg_[0-9a-f]{24}$/)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(first!.headers['webhook-timestamp']),
    )
    expect(verifies(hook.secret, second!)).toBe(true)
  })

  it('are signed with the former secret too for a day after a new one', async () => {
    const hook = await server.build(keeper)
    const { webhook_secret: next, former_valid_until } = expectSuccess(await renew(keeper, hook.id))
    expect(former_valid_until).toBeGreaterThan(Date.now() / 1_000 + world.clockOffset + DAY - 60)
    const called = async () => {
      await sendDirect(other, [hook], 'signed')
      await server.work()
      return server.posted.at(-1)!
    }
    const both = await called()
    expect([verifies(next, both), verifies(hook.secret, both)]).toEqual([true, true])
    world.clockOffset += DAY
    const after = await called()
    expect([verifies(next, after), verifies(hook.secret, after)]).toEqual([true, false])
    await renew(keeper, hook.id)
    const { webhook_secret: third } = expectSuccess(await renew(keeper, hook.id))
    const last = await called()
    expect([verifies(third, last), verifies(next, last)]).toEqual([true, false])
  })
})

describe('the secret of an outgoing webhook', () => {
  it('is shown only when it is made, and again if that request is repeated', async () => {
    const hook = await server.build(keeper)
    const first = expectSuccess(await renew(keeper, hook.id, 'once'))
    expect(first.webhook_secret).not.toBe(hook.secret)
    expect(expectSuccess(await renew(keeper, hook.id, 'once'))).toEqual(first)
    const { snapshot } = await openQueue(keeper)
    const shown = [snapshot, await keeper.api.get('/bots'), await realm.owner.api.get('/audit_log')]
    expect(JSON.stringify(shown)).not.toContain(first.webhook_secret)
    expect(JSON.stringify(shown)).toContain(`"user_id":${hook.id}`)
  })

  it('is replaced when the bot gets a new owner, and no longer signs', async () => {
    const hook = await server.build(keeper)
    expectSuccess(await keeper.api.patch(`/bots/${hook.id}`, { bot_owner_id: other.id }))
    await sendDirect(other, [hook], 'signed')
    await server.work()
    const [call] = server.posted
    expect(call!.headers['webhook-signature']!.split(' ')).toHaveLength(1)
    expect(verifies(hook.secret, call!)).toBe(false)
    expectRefusal(await renew(keeper, hook.id), 'No such outgoing webhook')
    expect(fromJson(call!.body).data).toBe('signed')
  })

  it('is renewed only by its owner', async () => {
    const hook = await server.build(keeper)
    expectSuccess(await renew(keeper, hook.id))
    for (const by of [other, admin, realm.owner]) {
      expectRefusal(await renew(by, hook.id), 'No such outgoing webhook')
    }
    expectRefusal(await renew(stranger, hook.id), 'No such outgoing webhook')
    expectRefusal(await renew(admin, 9_999_999), 'No such outgoing webhook')
    expectRefusal(await renew(admin, keeper.id), 'No such outgoing webhook')
    const generic = await createBot(keeper, 'Unsigned')
    expectRefusal(await renew(keeper, generic.id), 'No such outgoing webhook')
    expectRefusal(await renew(guest, hook.id), 'Not allowed for guest users')
    expectRefusal(await renew(generic, hook.id), 'This endpoint does not accept bot requests.')
    expectUnauthorized(await realm.anonymous.post(`/bots/${hook.id}/webhook_secret`))
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect((await renew(gone, hook.id)).status).toBe(401)
  })
})
