import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { buildBot, changeRealm } from '../../support/inside.ts'
import { buildUnused } from '../../support/login-identities.ts'
import { mailsTo } from '../../support/pages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const SECRET = 'the secret of the other system, long enough'
const NOT_ENABLED = 'JWT authentication is not enabled for this organization.'

const { realm, owner } = useRealm()
const bytes = (secret: string) => new TextEncoder().encode(secret)

const now = () => Math.floor(Date.now() / 1_000)
const sign = (claims: Record<string, unknown>, secret = SECRET, alg = 'HS256') =>
  new SignJWT({ exp: now() + 60, ...claims }).setProtectedHeader({ alg }).sign(bytes(secret))

const setSecret = (secret: string) => owner.api.request('PUT', '/realm/jwt_secret', { secret })

const fetchKey = (token: string, more = {}) => realm.anonymous.post('/jwt/fetch_api_key', { token, ...more })

describe('a token of another system of the organization', () => {
  it('is refused until an owner has set the secret, and after it was removed', async () => {
    const { email } = await buildUnused(realm)
    const token = await sign({ email })
    expectRefusal(await fetchKey(token), NOT_ENABLED)
    expectRefusal(await fetchKey(''), NOT_ENABLED)
    expectSuccess(await setSecret(SECRET))
    expectSuccess(await fetchKey(token))
    expectSuccess(await owner.api.delete('/realm/jwt_secret'))
    expectRefusal(await fetchKey(token), NOT_ENABLED)
    expectSuccess(await setSecret(SECRET))
  })

  it('gives the key of the account that it names, with the profile if asked', async () => {
    const user = await buildUnused(realm)
    const token = await sign({ email: user.email.toUpperCase() })
    const answer = expectSuccess(await fetchKey(token))
    expect(answer).toEqual({ result: 'success', msg: '', api_key: user.apiKey, email: user.email })
    const { user: profile } = expectSuccess(await fetchKey(token, { include_profile: true }))
    const { profile_data: _, max_message_id: __, ...own } = expectSuccess(await user.api.get('/users/me'))
    expect({ result: 'success', msg: '', ...profile }).toEqual(own)
  })

  it('is refused with another secret or algorithm, unsigned, or expired', async () => {
    const { email } = owner
    const unsigned = new UnsecuredJWT({ email }).encode()
    const bad = [
      'a.b.c',
      unsigned,
      await sign({ email }, 'another secret that is also long enough'),
      await sign({ email }, SECRET.repeat(2), 'HS512'),
      await sign({ email, exp: now() - 60 }),
      await sign({ email, nbf: now() + 3_600 }),
      `${await sign({ email })}x`,
    ]
    for (const token of bad) expectRefusal(await fetchKey(token), 'Bad JSON web token')
  })

  it('ends: by its own time, or ten minutes after it was made', async () => {
    const { email } = await buildUnused(realm)
    for (const claims of [{ exp: now() + 9_999 }, { exp: undefined, iat: now() - 590 }]) {
      expectSuccess(await fetchKey(await sign({ email, ...claims })))
    }
    const bad = [
      { exp: undefined },
      { exp: undefined, iat: now() - 610 },
      { exp: undefined, iat: now() + 120 },
      { exp: undefined, iat: 'now' },
      { exp: now() - 5, iat: now() },
    ]
    for (const claims of bad) {
      expectRefusal(await fetchKey(await sign({ email, ...claims })), 'Bad JSON web token')
    }
  })

  it('must be present, and name a user', async () => {
    expectRefusal(await realm.anonymous.post('/jwt/fetch_api_key'), 'No JSON web token passed in request')
    for (const claims of [{}, { email: 7 }, { user: owner.email }]) {
      expectRefusal(await fetchKey(await sign(claims)), 'No email specified in JSON web token claims')
    }
  })

  it('is refused for strangers, bots, closed accounts and other organizations’ users', async () => {
    const { realm: other } = await buildRealm()
    const bot = await buildBot(realm, owner)
    for (const email of ['nobody@example.com', bot.email, other.owner.email, 'x'.repeat(2_000)]) {
      expect((await fetchKey(await sign({ email }))).body).toMatchObject({
        code: 'AUTHENTICATION_FAILED',
        msg: 'Your username or password is incorrect',
      })
    }
    const closed = await buildUnused(realm)
    expectSuccess(await owner.api.delete(`/users/${closed.id}`))
    const refused = await fetchKey(await sign({ email: closed.email }))
    expect([refused.status, refused.body]).toEqual([
      401,
      expect.objectContaining({ code: 'USER_DEACTIVATED' }),
    ])
    const elsewhere = await other.anonymous.post('/jwt/fetch_api_key', {
      token: await sign({ email: owner.email }),
    })
    expectRefusal(elsewhere, NOT_ENABLED)
  })

  it('opens no account whose address was never confirmed', async () => {
    const { id, email } = await buildUnused(realm)
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE user SET is_email_confirmed = 0 WHERE id = ?`, id)
    })
    expect((await fetchKey(await sign({ email }))).body).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      msg: 'Your username or password is incorrect',
    })
  })

  it('is in the audit log, and mailed to the account’s owner as new', async () => {
    const user = await buildUnused(realm)
    await changeRealm(realm, (tx) =>
      tx.sql.run('UPDATE user SET joined_at = joined_at - 3600 WHERE id = ?', user.id),
    )
    expectSuccess(await fetchKey(await sign({ email: user.email })))
    const { entries } = expectSuccess(await owner.api.get('/audit_log', { actor_id: user.id, limit: 1 }))
    expect(entries[0]).toMatchObject({ action: 'login', details: { user_id: user.id, method: 'jwt' } })
    expect((await mailsTo(realm.host, user.email))[0]!.subject).toContain('New login')
  })
})
