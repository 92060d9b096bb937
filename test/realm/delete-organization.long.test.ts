import { env, runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { evictRealm, realmStub } from '../support/api.ts'
import { finishExport, startExport } from '../support/exports.ts'
import { buildChannel, buildUser, expectSuccess, type TestRealm } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { inRealm } from '../support/inside.ts'
import { REALM_TABLES, sweepRealms, takeUpDeletions } from '../support/inside-deployment.ts'
import { fromJson } from '../support/json.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { visit } from '../support/pages.ts'
import { pngOf } from '../support/pictures.ts'
import { openQueue } from '../support/queues.ts'
import { sha256Hex } from '../support/sha256.ts'
import { dumpObject, dumpRealm, isListed, locationsWith } from '../support/stores.ts'
import { DAY, HOUR, MINUTE } from '../support/times.ts'
import { fetchPath, postFiles, readStatus, upload } from '../support/uploads.ts'
import { buildRealm, useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const DAYS = 14
const PATIENCE_MS = 15_000

/** Fills an organization with data of every kind. All texts that people write contain `marker`. */
async function liveIn(realm: TestRealm, marker: string): Promise<number[]> {
  const { owner } = realm
  const member = await buildUser(realm, { name: `${marker} member` })
  const channel = await buildChannel([owner, member], { name: `${marker} channel` })
  const file = await upload(owner, { name: `${marker}.txt`, content: `${marker} in a file` })
  const picture = await upload(owner, pngOf(900, 600, `${marker}.png`))
  const ids = [
    await sendTo(owner, channel.id, `${marker} topic`, `${marker} [file](${file}) [picture](${picture})`),
    await sendTo(member, channel.id, `${marker} topic`, `${marker} again`),
  ]
  expect(
    await readStatus(
      realm,
      `${picture.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`,
      owner,
    ),
  ).toBe(200)
  for (const [path, picture] of [
    ['/users/me/avatar', PNG],
    ['/realm/emoji/mark', PNG],
    ['/realm/icon', PNG],
  ] as const) {
    expectSuccess(await postFiles(owner, path, [picture]))
  }
  expectSuccess(
    await owner.api.post('/drafts', {
      drafts: [{ type: 'stream', to: [channel.id], topic: marker, content: marker }],
    }),
  )
  await openQueue(member)
  await untilProjected(realm, ids)
  await finishExport(realm, await startExport(owner))
  return ids
}

async function close(realm: TestRealm, days: number | null = DAYS): Promise<void> {
  expectSuccess(await realm.owner.api.post('/realm/deactivate', { deletion_delay_days: days }))
}

async function letDaysPass(realm: TestRealm, days = DAYS): Promise<void> {
  world.clockOffset += days * DAY
  await runAlarms(realm, 10)
}

/** Lets the time pass until the organization is deleted, and until the deletion is checked a second time. */
async function letItBeDeleted(realm: TestRealm): Promise<void> {
  await letDaysPass(realm)
  world.clockOffset += 11 * MINUTE
  await runAlarms(realm, 10)
}

it('a deactivated organization is deleted entirely when due, and nothing of another', async () => {
  const [{ realm }, { realm: neighbour }] = [await buildRealm(), await buildRealm()]
  const marker = `goner${crypto.randomUUID().slice(0, 8)}`
  await liveIn(neighbour, 'neighbour')
  await liveIn(realm, marker)
  await close(realm)
  const everywhere = await dumpRealm(realm)
  for (const location of [
    'object ',
    'D1 message_body',
    'D1 message_search',
    'D1 account',
    'R2 user_uploads/',
    'R2 images/',
    'R2 exports/',
  ]) {
    expect([...everywhere.keys()].filter((key) => key.startsWith(location))).not.toEqual([])
  }
  expect([...everywhere.keys()].some((key) => key.endsWith('/840x560.webp'))).toBe(true)
  expect(locationsWith(everywhere, marker)).not.toEqual([])
  const beside = await dumpRealm(neighbour)
  await letDaysPass(realm, DAYS - 1)
  expect(locationsWith(await dumpRealm(realm), marker)).not.toEqual([])
  world.clockOffset += DAY
  await runAlarms(realm, 10)
  world.clockOffset += 11 * MINUTE
  await runAlarms(realm, 10)
  expect([...(await dumpRealm(realm)).keys()]).toEqual([])
  expect(await isListed(realm)).toBe(false)
  expect(await inRealm(realm, (_, { storage }) => storage.getAlarm())).toBe(null)
  expect(await dumpRealm(neighbour)).toEqual(beside)
})

it('deletion covers every table of D1', async () => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'
       AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'message_search_*' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>()
  expect(results.map(({ name }) => name).sort()).toEqual(
    [...REALM_TABLES, 'mail_request', 'organization_ticket', 'projection', 'realm', 'stored_piece'].sort(),
  )
})

describe('a deleted organization', () => {
  const { realm } = useRealmPerTest()

  it('is like one that never existed, from the deletion’s first moment', async () => {
    const url = await upload(realm.owner)
    await close(realm)
    const nowhere = `http://nobody-${crypto.randomUUID()}.test`
    const asked = async () => {
      const [server, users] = [
        await realm.anonymous.get('/server_settings'),
        await realm.owner.api.get('/users'),
      ]
      const [page, file] = [await visit(`http://${realm.host}/`), await fetchPath(realm, url, realm.owner)]
      const events = await realm.owner.api.get('/events', { queue_id: '1-00', last_event_id: -1 })
      return [server, users, events]
        .map(({ status, body }) => ({ status, body }))
        .concat([
          { status: page.status, body: page.text },
          { status: file.status, body: await file.text() },
        ])
    }
    const never = { ...realm, host: nowhere.slice('http://'.length) }
    const expected = await (async () => {
      const [server, users, events] = await Promise.all(
        ['/server_settings', '/users', '/events?queue_id=1-00&last_event_id=-1'].map(async (path) => {
          const response = await visit(`${nowhere}/api/v1${path}`)
          return { status: response.status, body: fromJson(response.text) }
        }),
      )
      const [page, file] = [await visit(`${nowhere}/`), await fetchPath(never, url, realm.owner)]
      return [
        server,
        users,
        events,
        { status: page.status, body: page.text },
        { status: file.status, body: await file.text() },
      ]
    })()
    await letDaysPass(realm)
    expect(await asked()).toEqual(expected)
    await letItBeDeleted(realm)
    expect(await asked()).toEqual(expected)
  })

  it('frees its host: a new one there has another id, and nothing old', async () => {
    // Where only its owner has entered, the host is free at once.
    await buildUser(realm)
    const channel = await buildChannel([realm.owner])
    await sendTo(realm.owner, channel.id, 'plans', 'of before')
    await close(realm)
    // D1 gets the change a moment later.
    await vi.waitFor(
      () => expect(buildRealm({}, { host: realm.host })).rejects.toThrow('yet to be deleted'),
      PATIENCE_MS,
    )
    await letDaysPass(realm)
    await expect(buildRealm({}, { host: realm.host })).rejects.toThrow('yet to be deleted')
    await letItBeDeleted(realm)
    world.clockOffset = 0
    const { realm: again } = await buildRealm({}, { host: realm.host })
    expect(again.id).toBeGreaterThan(realm.id)
    // A Worker that has the old organization in its cache may answer once that it is gone.
    await realm.owner.api.get('/users/me')
    expect((await realm.owner.api.get('/users/me')).status).toBe(401)
    const { messages } = expectSuccess(
      await again.owner.api.get('/messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'before' }],
      }),
    )
    expect(messages).toEqual([])
  })
})

describe('deletion', () => {
  const { realm } = useRealmPerTest()

  it('continues after any failing step, and after evictions', async () => {
    await liveIn(realm, 'faulty')
    await close(realm)
    world.clockOffset += DAYS * DAY
    let [failing, calls] = [0, 0]
    const failOne = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      calls += 1
      if (calls === failing) throw new Error('internal error; reference = 0')
      return call()
    }
    world.store = failOne
    world.d1 = failOne
    const failed = new Set<number>()
    for (let run = 0; run < 60 && (await dumpObject(realm)).size > 0; run += 1) {
      world.clockOffset += 6 * MINUTE
      ;[failing, calls] = [(run % 14) + 1, 0]
      await runDurableObjectAlarm(realmStub(realm.id))
      if (calls >= failing) failed.add(failing)
      await evictRealm(realm.id)
    }
    expect(failed.size).toBeGreaterThan(5)
    expect([...(await dumpRealm(realm)).keys()]).toEqual([])
  })

  it('includes work that was still pending when it began', async () => {
    await close(realm)
    await letDaysPass(realm)
    await env.UPLOADS.put(`user_uploads/${realm.id}/a/late`, 'late')
    await env.DB.prepare(`INSERT INTO message_body VALUES (?, 900, 0, 'late', 'late', '[]')`)
      .bind(realm.id)
      .run()
    world.clockOffset += 11 * MINUTE
    await runAlarms(realm, 10)
    expect([...(await dumpRealm(realm)).keys()]).toEqual([])
  })

  it('handles many files and messages in batches of bounded size', async () => {
    await close(realm)
    const rows = Array.from({ length: 4_500 }, (_, id) => [id + 100, `text ${id}`])
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO message_body (realm_id, message_id, version, content, rendered_content)
         SELECT ?1, value->>0, 0, value->>1, '' FROM json_each(?2) WHERE true`,
      ).bind(realm.id, JSON.stringify(rows)),
      env.DB.prepare(
        `INSERT INTO message_search (rowid, text) SELECT (?1 << 32) + (value->>0), value->>1 FROM json_each(?2)`,
      ).bind(realm.id, JSON.stringify(rows)),
    ])
    let largest = 0
    world.d1 = async (call) => {
      const answer = await call()
      for (const { meta } of Array.isArray(answer) ? answer : [])
        largest = Math.max(largest, meta?.changes ?? 0)
      return answer
    }
    await letDaysPass(realm)
    world.clockOffset += 11 * MINUTE
    await runAlarms(realm, 3)
    expect([...(await dumpRealm(realm)).keys()]).toEqual([])
    expect(largest).toBeLessThanOrEqual(3_100)
    expect(largest).toBeGreaterThanOrEqual(1_000)
  })

  it('does not happen once the organization is reactivated', async () => {
    await close(realm)
    await inRealm(realm, (object) =>
      object.change((tx) =>
        tx.sql.run(`UPDATE realm_setting SET value = 'false' WHERE name = 'deactivated'`),
      ),
    )
    await letItBeDeleted(realm)
    expectSuccess(await realm.owner.api.get('/users/me'))
  })

  it('never happens after a deactivation without deletion', async () => {
    await close(realm, null)
    await letItBeDeleted(realm)
    expect((await realm.owner.api.get('/users/me')).body).toMatchObject({
      msg: 'This organization has been deactivated',
    })
  })
})

describe('the daily check', () => {
  it('resumes a deletion whose alarm was lost, or that only D1 knows', async () => {
    const [{ realm: asleep }, { realm: gone }, { realm: living }] = [
      await buildRealm(),
      await buildRealm(),
      await buildRealm(),
    ]
    for (const realm of [asleep, gone, living]) await close(realm)
    await inRealm(asleep, (_, { storage }) => storage.deleteAlarm())
    await evictRealm(asleep.id)
    // D1 was restored from a copy of the time when the organization was still to be deleted.
    await inRealm(gone, async (object, { storage }) => {
      await object.parts.projector.kick()
      object.parts.projector.stop()
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
    await evictRealm(gone.id)
    await env.UPLOADS.put(`images/${gone.id}/left`, 'left')
    const now = Date.now() / 1_000
    await takeUpDeletions(env, now)
    expect(await isListed(gone)).toBe(true)
    world.clockOffset = DAYS * DAY + 2 * HOUR
    await takeUpDeletions(env, now + world.clockOffset)
    for (const realm of [asleep, gone]) {
      await runAlarms(realm, 10)
      world.clockOffset += 11 * MINUTE
      await runAlarms(realm, 10)
      expect([...(await dumpRealm(realm)).keys()]).toEqual([])
    }
  })

  it('removes unused tickets', async () => {
    await env.DB.prepare(
      `INSERT INTO organization_ticket (digest, created_at, host) VALUES ('old', 1, 'old.test')`,
    ).run()
    await sweepRealms(env, Date.now() / 1_000)
    const left = await env.DB.prepare(`SELECT 1 FROM organization_ticket WHERE host = 'old.test'`).first()
    expect(left).toBe(null)
  })

  it('deletes nothing without a decision; verification reports leftovers', async () => {
    const { realm } = await buildRealm()
    await inRealm(realm, async (object, { storage }) => {
      object.parts.projector.stop()
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
    await evictRealm(realm.id)
    await takeUpDeletions(env, Date.now() / 1_000 + 1_000 * DAY)
    await runAlarms(realm, 2)
    expect(await isListed(realm)).toBe(true)
    expect((await realm.owner.api.get('/users/me')).body).toMatchObject({ code: 'NONEXISTENT_SUBDOMAIN' })
    await env.DB.prepare(`INSERT INTO organization_ticket (digest, created_at, host) VALUES (?, ?, ?)`)
      .bind(await sha256Hex(realm.host), Math.floor(Date.now() / 1_000), realm.host)
      .run()
    const { text } = await visit(`http://${realm.host}/setup/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket: realm.host, host: realm.host, repair: true }),
    })
    expect(fromJson(text).findings).toMatchObject([{ check: 'organization', repaired: false }])
    expect(await isListed(realm)).toBe(true)
  })
})
