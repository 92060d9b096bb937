import { beforeEach, describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { captureLog } from '../support/log-lines.ts'
import { usePushRealm } from '../support/push-realm.ts'
import { world } from '../support/world.ts'

const org = usePushRealm()
const NEXT_DAY = Math.floor(Date.now() / 1_000) + 200_000

beforeEach(() => {
  // An object’s record of the lines that it has logged ends with its memory.
  world.evictable = false
})

describe('the log has one line for many things dropped for lack of space:', () => {
  it('calls of a webhook that has too many waiting', async () => {
    const { ann, realm } = org
    const bot = {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: 'https://hooks.example.com/',
    }
    const { user_id } = expectSuccess(await ann.api.post('/bots', bot))
    const call = () => ann.api.post('/messages', { type: 'direct', to: [user_id], content: 'hear me' })
    const waiting = () =>
      inRealm(
        realm,
        ({ parts }) => parts.sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM webhook_call')!.n,
      )
    await inRealm(realm, ({ parts }) =>
      parts.sql.run(
        `INSERT INTO webhook_call (bot_id, cause, message, origin, due_at, webhook_id)
         SELECT ?, 'direct_message', '{}', '', ?, '' FROM json_each(?)`,
        ...[user_id, NEXT_DAY, JSON.stringify(Array.from({ length: 1_000 }, () => 0))],
      ),
    )
    const log = captureLog()
    for (let sent = 0; sent < 3; sent += 1) expectSuccess(await call())
    expect(await waiting()).toBe(1_000)
    const what = 'Too many calls of a webhook wait: it misses some'
    const facts = { level: 'warn', realm_id: realm.id, bot_id: user_id }
    expect(log.lines(what)).toMatchObject([{ ...facts, missed: 1 }])
    world.clockOffset += 601
    expectSuccess(await call())
    expect(log.lines(what)).toMatchObject([{ missed: 1 }, { ...facts, missed: 3 }])
    expect(log.raw.join()).not.toContain('hear me')
  })

  it('notifications that make room for newer ones', async () => {
    const { ann, ben, realm } = org
    await inRealm(realm, ({ parts }) =>
      parts.sql.run(
        `INSERT INTO pending_push (message_id, notifiable, origin, event_id, entered_at, due_at)
         SELECT 1, '[]', '', 1, ?1, ?1 FROM json_each(?2)`,
        ...[NEXT_DAY, JSON.stringify(Array.from({ length: 1_010 }, () => 0))],
      ),
    )
    const log = captureLog()
    const write = () => ann.api.post('/messages', { type: 'direct', to: [ben.id], content: 'hear me' })
    for (let sent = 0; sent < 3; sent += 1) expectSuccess(await write())
    const lines = log.lines('Too many notifications wait: the oldest are dropped')
    expect(lines).toMatchObject([{ level: 'warn', realm_id: realm.id, missed: 10 }])
  })
})
