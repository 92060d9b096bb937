import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ApiClient, evictRealm, realmStub } from '../support/api.ts'
import { bodyDatabase } from '../support/body-database.ts'
import { expectSuccess } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { MAX_OBJECT } from '../support/limits.ts'
import { useOutages } from '../support/outages.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { sha256Hex } from '../support/sha256.ts'
import { authorization, postFiles, upload } from '../support/uploads.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const MISSING = '*The text of this message is missing.*'

const outages = useOutages()
async function send(content: string): Promise<number> {
  const id = await outages.send(content)
  await outages.untilCaughtUp()
  return id
}

const look = async () => {
  await inRealm(outages.realm, ({ parts }) => parts.projector.look())
  await outages.untilCaughtUp()
}
const d1 = (query: string, ...values: unknown[]) =>
  bodyDatabase
    .prepare(query)
    .bind(...values)
    .run()
const cursor = async () =>
  (await bodyDatabase
    .prepare('SELECT applied FROM projection WHERE realm_id = ?')
    .bind(outages.realm.id)
    .first<{ applied: number }>())!.applied

/** Restores D1 to a state with this cursor, without these messages. */
async function restoreD1(applied: number, without: readonly number[]): Promise<void> {
  await d1('UPDATE projection SET applied = ? WHERE realm_id = ?', applied, outages.realm.id)
  await d1(
    'DELETE FROM message_body WHERE realm_id = ? AND message_id IN (SELECT value FROM json_each(?))',
    outages.realm.id,
    JSON.stringify(without),
  )
}

describe('a D1 that was restored from a copy', () => {
  it.each(['when it is looked at', 'at the next message', 'after an eviction'])(
    'is detected %s, and gets again what the log has',
    async (when) => {
      await send('in the copy')
      const then = await cursor()
      const ids = [await send('after it'), await send('and after that')]
      await inRealm(outages.realm, ({ parts }) => parts.projector.saveCursors())
      await restoreD1(then, ids)
      if (when === 'after an eviction') await evictRealm(outages.realm.id)
      if (when === 'when it is looked at') await look()
      else {
        expectSuccess(await outages.realm.owner.api.post('/messages', outages.note('next')))
        await inRealm(outages.realm, ({ parts }) => parts.projector.kick())
        world.clockOffset += 100
        await runDurableObjectAlarm(realmStub(outages.realm.id))
      }
      await outages.untilCaughtUp()
      expect(await outages.contents(ids)).toEqual(['after it', 'and after that'])
      const { results } = await bodyDatabase
        .prepare(
          'SELECT content FROM message_body WHERE realm_id = ? AND message_id IN (?, ?) ORDER BY message_id',
        )
        .bind(outages.realm.id, ...ids)
        .all()
      expect(results).toEqual([{ content: 'after it' }, { content: 'and after that' }])
      expect(await outages.restored()).toMatchObject({
        kind: 'behind',
        d1Cursor: then,
        lostUpTo: null,
      })
    },
  )

  it('may lack texts that the log no longer has, as their messages then say', async () => {
    await send('in the copy')
    const then = await cursor()
    const lost = await send('trimmed since')
    const upTo = await cursor()
    const kept = await send('kept')
    await inRealm(outages.realm, ({ parts }) => {
      parts.projector.saveCursors()
      parts.sql.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('trimmed', ?)`, upTo)
      parts.sql.run('DELETE FROM log WHERE id <= ?', upTo)
    })
    await restoreD1(then, [lost, kept])
    await evictRealm(outages.realm.id)
    await look()
    expect(await outages.contents([lost, kept])).toEqual([MISSING, 'kept'])
    expect(await outages.restored()).toMatchObject({ kind: 'behind', d1Cursor: then, lostUpTo: upTo })
  })

  it('may be older than the organization, which is entered again', async () => {
    const id = await send('there')
    await restoreD1(0, [id])
    await d1('DELETE FROM projection WHERE realm_id = ?', outages.realm.id)
    await d1('DELETE FROM realm WHERE id = ?', outages.realm.id)
    await look()
    const entered = await env.DB.prepare('SELECT host FROM realm WHERE id = ?').bind(outages.realm.id).first()
    expect(entered).toEqual({ host: outages.realm.host })
    expect(await outages.contents([id])).toEqual(['there'])
  })
})

it('a lost first answer of D1 is not taken for a restored object', async () => {
  let lost = 0
  world.d1 = async (call, kind) => {
    const answer = await call()
    if (kind !== 'batch' || lost > 0) return answer
    lost += 1
    throw new Error('The answer of D1 is lost')
  }
  const { realm } = await buildRealm()
  outages.realm = realm
  await expect.poll(() => lost).toBe(1)
  world.clockOffset += 100
  await inRealm(outages.realm, ({ parts }) => parts.projector.retry())
  await outages.untilCaughtUp()
  expect(await outages.restored()).toBeUndefined()
})

describe('an object that was restored from a copy', () => {
  it('finds D1 ahead, and continues with ids that were never used', async () => {
    const id = await send('in the copy')
    await inRealm(outages.realm, ({ parts }) => parts.projector.saveCursors())
    const then = await cursor()
    // Rows that the object wrote before it was restored from a copy.
    await d1(
      `INSERT INTO message_body VALUES (?, ?, 0, 'of the lost life', '<p>of the lost life</p>', '[]')`,
      outages.realm.id,
      id + 5,
    )
    await d1('UPDATE projection SET applied = ? WHERE realm_id = ?', then + 10, outages.realm.id)
    await evictRealm(outages.realm.id)
    await look()
    expect(await outages.restored()).toMatchObject({ kind: 'ahead', d1Cursor: then + 10 })
    const next = await send('new')
    expect(next).toBeGreaterThan(id + 5)
    expect(await cursor()).toBeGreaterThan(then + 10)
    expect(await outages.contents([id, next])).toEqual(['in the copy', 'new'])
  })

  it('does so even if its first message’s id is in D1', async () => {
    const id = await send('in the copy')
    await inRealm(outages.realm, ({ parts }) => parts.projector.saveCursors())
    const then = await cursor()
    await d1(
      `INSERT INTO message_body VALUES (?, ?, 0, 'a secret of the lost life', '<p>secret</p>', '[]')`,
      outages.realm.id,
      id + 1,
    )
    await d1('UPDATE projection SET applied = ? WHERE realm_id = ?', then + 1, outages.realm.id)
    await evictRealm(outages.realm.id)
    const next = await send('new')
    expect(await outages.contents([next])).toEqual(['new'])
    expect(await outages.restored()).toMatchObject({ kind: 'ahead' })
    expect(
      await bodyDatabase
        .prepare('SELECT content FROM message_body WHERE realm_id = ? AND message_id = ?')
        .bind(outages.realm.id, next)
        .first(),
    ).toEqual({ content: 'new' })
  })
})

describe('an organization whose id D1 gave to another one', () => {
  const rename = (host: string) =>
    env.DB.prepare('UPDATE realm SET host = ? WHERE id = ?').bind(host, outages.realm.id).run()

  it('refuses requests meant for the other', async () => {
    const host = `other-${crypto.randomUUID()}.test`
    await rename(host)
    const { email, apiKey } = outages.realm.owner
    const answer = await new ApiClient({ host, realmId: outages.realm.id, email, apiKey }).get('/users/me')
    expect(answer.status).toBe(503)
  })

  it('reveals nothing of the other, and reports that its id was reused', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const token = 'a-token-of-the-deployment'
    world.settings = { HEALTH_TOKEN: token }
    const ask = async (host: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      const { status, text } = await visit(`http://${host}/health?deep=1`, { headers })
      return { status, ...fromJson(text) }
    }
    const own = await ask(outages.realm.host)
    expect(own.organization).toMatchObject({ is_other: false, reachable: true })
    expect(own.organization.log.newest_id).toBeGreaterThan(0)
    const host = `other-${crypto.randomUUID()}.test`
    await rename(host)
    const other = await ask(host)
    expect([other.status, other.problems]).toEqual([
      503,
      ['The realm object is another organization’s: D1 has given its id again'],
    ])
    const place = { location: null, jurisdiction: null }
    expect(other.organization).toEqual({ host, place, is_other: true, reachable: false, d1_cursor: null })
  })

  it('serves none of its files to the other', async () => {
    const file = await upload(outages.realm.owner)
    const { avatar_url } = expectSuccess(await postFiles(outages.realm.owner, '/users/me/avatar', [PNG]))
    const { url: temporary } = expectSuccess(await outages.realm.owner.api.get(file))
    const paths = [
      file,
      temporary,
      `/avatar/${outages.realm.owner.id}`,
      new URL(avatar_url, 'http://x').pathname,
    ] as string[]
    const open = async (at: string, path: string) =>
      (await visit(`http://${at}${path}`, { headers: authorization(outages.realm.owner) })).status
    for (const path of paths)
      expect([path, (await open(outages.realm.host, path)) < 400]).toEqual([path, true])
    const host = `other-${crypto.randomUUID()}.test`
    await rename(host)
    for (const path of [...paths, `/user_avatars/exports/${outages.realm.id}/${'0'.repeat(48)}/x.tar.gz`]) {
      expect([path, (await open(host, path)) >= 400]).toEqual([path, true])
    }
  })

  it('can neither be created nor verified as the other', async () => {
    const host = `other-${crypto.randomUUID()}.test`
    await rename(host)
    const ask = async (path: string, body: object) => {
      const ticket = crypto.randomUUID()
      const now = Math.floor(Date.now() / 1_000)
      await env.DB.prepare('INSERT INTO organization_ticket (digest, created_at, host) VALUES (?, ?, ?)')
        .bind(await sha256Hex(ticket), now, host)
        .run()
      const asked = { method: 'POST', body: JSON.stringify({ ticket, host, ...body }) }
      return visit(`http://${host}/setup/${path}`, asked)
    }
    const owner = { email: outages.realm.owner.email, full_name: 'Somebody', password: 'correct horse' }
    const founded = await ask('organizations', { name: 'Other', owner })
    expect([founded.status, founded.text.includes(outages.realm.owner.apiKey)]).toEqual([503, false])
    expect((await ask('verify', {})).status).toBe(503)
  })
})

describe('an object that is nearly full', () => {
  it('refuses growth, but still reads, marks, deletes and registers', async () => {
    const id = await send('before')
    world.databaseSize = MAX_OBJECT
    const refused = await outages.realm.owner.api.post('/messages', outages.note('too much'))
    expect([refused.status, refused.body.code]).toEqual([507, 'STORAGE_FULL'])
    for (const [path, params] of [
      ['/drafts', { drafts: [] }],
      ['/saved_snippets', { title: 'x', content: 'y' }],
      [`/messages/${id}/reactions`, { emoji_name: 'tada' }],
    ] as const) {
      expect((await outages.realm.owner.api.post(path, params)).status).toBe(507)
    }
    expect(await outages.contents([id])).toEqual(['before'])
    await openQueue(outages.realm.owner)
    expectSuccess(
      await outages.realm.owner.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    )
    expectSuccess(await outages.realm.owner.api.patch('/realm', { description: 'Full' }))
    expectSuccess(await outages.realm.owner.api.delete(`/messages/${id}`))
    expect((await outages.health()).is_nearly_full.object).toBe(true)
    world.databaseSize = undefined
    await send('after')
  })
})

describe('two builds at once', () => {
  it('a step with unknown or missing fields is refused with 503, and changes nothing', async () => {
    const { realm } = outages
    const call = (operation: string, value: object) =>
      inRealm(realm, (object) =>
        object.call({
          host: realm.host,
          operation,
          credentials: { kind: 'basic', email: realm.owner.email, apiKey: realm.owner.apiKey },
          parameters: { ok: true, value },
          source: { origin: `http://${realm.host}`, userAgent: 'ParleyTest', ip: '', fileId: 'f17e' },
        }),
      )
    expect((await call('upload-file', {})).outcome).toMatchObject({ ok: true })
    const directory = `${realm.id}/f1/f17e`
    const file = { directory, name: 'plan.txt', contentType: 'text/plain', size: 3 }
    const image = { type: 'png', width: 1, height: 1, isAnimated: false }
    const tomorrow = [
      {},
      { ...file, from: 'tomorrow' },
      { ...file, image: { ...image, depth: 1 } },
      { ...file, size: '1' },
    ]
    for (const value of tomorrow) {
      const { outcome } = await call('enter-upload', value)
      expect([value, outcome]).toMatchObject([value, { ok: false, error: { status: 503 } }])
    }
    const long = { ...file, directory: 'x'.repeat(10_000) }
    expect((await call('enter-upload', long)).outcome).toMatchObject({ ok: false, error: { status: 400 } })
    const filesOf = async () => expectSuccess(await realm.owner.api.get('/attachments')).attachments
    expect(await filesOf()).toEqual([])
    expect((await call('enter-upload', file)).outcome).toMatchObject({ ok: true })
    expect(await filesOf()).toMatchObject([{ name: 'plan.txt' }])
  })

  it('an operation that the object does not know yet is refused with 503', async () => {
    await inRealm(outages.realm, ({ parts }) =>
      (parts.operations as Map<string, unknown>).delete('get-own-user'),
    )
    const { status, headers } = await outages.realm.owner.api.get('/users/me')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  })
})
