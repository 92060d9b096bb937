import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { DAY } from '../../support/times.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { work } from '../../support/web.ts'
import { world } from '../../support/world.ts'

const PASSWORD = 'a fine password'
const NOT_LOGGED_IN = {
  status: 401,
  body: {
    result: 'error',
    msg: 'Not logged in: API authentication or user session required',
    code: 'UNAUTHORIZED',
  },
}

const { realm } = useRealm()

async function loggedIn(user: TestUser, at = realm): Promise<Browser> {
  const browser = new Browser(at.host)
  expect((await browser.logIn(user.email, PASSWORD)).status).toBe(302)
  return browser
}

const whoIs = (browser: Browser) => browser.json('GET', '/users/me')

describe('the sessions of a user', () => {
  it('are listed to their owner alone, who can end them, in the API too', async () => {
    const [ann, bob] = [await buildUser(realm), await buildUser(realm)]
    const [first, second, bobs] = [await loggedIn(ann), await loggedIn(ann), await loggedIn(bob)]
    const { sessions } = expectSuccess(await second.json('GET', '/browser_sessions'))
    expect(sessions.map((session: { is_current: boolean }) => session.is_current)).toEqual([true, false])
    expect(JSON.stringify(sessions)).not.toContain(second.cookies.get('sessionid'))
    const own = expectSuccess(await ann.api.get('/browser_sessions')).sessions
    expect(own.map((session: { is_current: boolean }) => session.is_current)).toEqual([false, false])
    const path = `/browser_sessions/${sessions[1].id}`
    for (const stranger of [bobs, new Browser(realm.host)]) {
      expect((await stranger.json('DELETE', path)).status).toBe(stranger === bobs ? 400 : 401)
    }
    expect((await whoIs(first)).status).toBe(200)
    expectSuccess(await second.json('DELETE', path))
    expect(await whoIs(first)).toMatchObject(NOT_LOGGED_IN)
    expect((await second.json('DELETE', path)).body.msg).toBe('No such session')
  })

  it('are at most fifty: a new one replaces the one used longest ago', async () => {
    const user = await buildUser(realm)
    const oldest = await loggedIn(user)
    const before = world.clockOffset
    for (let number = 0; number < 50; number += 1) {
      // A name has thirty passwords checked in ten minutes.
      world.clockOffset += 30
      await loggedIn(user)
    }
    expect(await whoIs(oldest)).toMatchObject(NOT_LOGGED_IN)
    world.clockOffset = before
    expect(expectSuccess(await user.api.get('/browser_sessions')).sessions).toHaveLength(50)
  })

  it('are deleted when they expire, in an idle organization too', async () => {
    const { realm: quiet, user } = await buildRealm({ user: 'member' })
    const before = world.clockOffset
    const rows = () =>
      inRealm(
        quiet,
        ({ parts: { sql } }) =>
          sql.all<{ user_agent: string }>('SELECT user_agent FROM browser_session').length,
      )
    try {
      // The clock is an hour ahead of the platform's, so that the alarm goes off only when the test runs it.
      world.clockOffset += 3_600
      const used = await loggedIn(user, quiet)
      await loggedIn(user, quiet)
      world.clockOffset += 10 * DAY
      expect((await whoIs(used)).status).toBe(200)
      await work(quiet, 4 * DAY - 60)
      expect(await rows()).toBe(2)
      await work(quiet, 120)
      expect(await rows()).toBe(1)
      expect((await whoIs(used)).status).toBe(200)
      // That was the last day on which it was used.
      await work(quiet, 15 * DAY)
      expect(await rows()).toBe(0)
      expect(
        await inRealm(quiet, ({ parts: { sql } }) =>
          sql.first(`SELECT 1 FROM job WHERE kind = 'forget-browser-sessions'`),
        ),
      ).toBeUndefined()
    } finally {
      world.clockOffset = before
    }
  })

  it('get a plain error if nothing can be moved; other clients get the code', async () => {
    const user = await buildUser(realm)
    const channel = await buildChannel([user])
    const browser = await loggedIn(user)
    const before = world.clockOffset
    const sent = { type: 'channel', to: channel.id, topic: 'tides', content: 'high water' }
    const { id } = expectSuccess(await browser.json('POST', '/messages', sent))
    try {
      world.clockOffset += 8 * DAY
      const move = { topic: 'ebb' }
      const msg = "The time limit for editing this message's topic has passed."
      expect(await browser.json('PATCH', `/messages/${id}`, move)).toMatchObject({
        status: 400,
        body: { result: 'error', msg, code: 'BAD_REQUEST' },
      })
      const program = await user.api.patch(`/messages/${id}`, move)
      expect(program).toMatchObject({ status: 400, body: { msg, code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' } })
    } finally {
      world.clockOffset = before
    }
  })

  it('stay valid when the object is evicted', async () => {
    const user = await buildUser(realm)
    const channel = await buildChannel([user])
    const browser = await loggedIn(user)
    await evictRealm(realm.id)
    const sent = { type: 'channel', to: channel.id, topic: 'x', content: 'after' }
    expectSuccess(await browser.json('POST', '/messages', sent))
  })
})
