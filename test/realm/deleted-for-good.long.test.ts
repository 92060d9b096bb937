import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { DAY, MINUTE } from '../../src/core/time.ts'
import { sweepRealms } from '../../src/http/sweep-realms.ts'
import { runAlarms } from '../support/alarms.ts'
import { buildChannel, buildRealm, expectSuccess, type TestRealm } from '../support/factories.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { dumpD1, dumpFiles, dumpObject, placesWith } from '../support/stores.ts'
import { upload } from '../support/uploads.ts'
import { world } from '../support/world.ts'

/** Everything of every organization: these look through whatever the other tests have left behind. */
async function placesAnywhere(mark: string): Promise<string[]> {
  return [...placesWith(await dumpD1(), mark), ...placesWith(await dumpFiles(), mark)]
}

/** Messages of the realm that any term of the index still names. */
async function indexed(realm: TestRealm, ids: readonly number[]): Promise<number[]> {
  await env.DB.prepare(`CREATE VIRTUAL TABLE words USING fts5vocab(message_search, instance)`).run()
  try {
    const { results } = await env.DB.prepare(
      `SELECT DISTINCT doc - (?1 << 32) AS id FROM words WHERE doc >> 32 = ?1`,
    )
      .bind(realm.id)
      .all<{ id: number }>()
    return results.flatMap(({ id }) => (ids.includes(id) ? [id] : [])).sort((a, b) => a - b)
  } finally {
    await env.DB.prepare(`DROP TABLE words`).run()
  }
}

it('no term of the index of texts names a deleted message, and the others are named after the night as before', async () => {
  const realm = await buildRealm()
  const channel = await buildChannel([realm.owner])
  const ids: number[] = []
  for (let nth = 0; nth < 20; nth += 1)
    ids.push(await sendTo(realm.owner, channel.id, 'plans', `zqword${nth} of mine`))
  await untilProjected(realm, ids)
  expect(await indexed(realm, ids)).toEqual(ids)
  const [kept, ...deleted] = ids as [number, ...number[]]
  for (const id of deleted) expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
  for (let tries = 0; tries < 500; tries += 1) {
    const left = await env.DB.prepare(`SELECT 1 FROM message_body WHERE realm_id = ? AND message_id = ?`)
      .bind(realm.id, ids.at(-1)!)
      .first()
    if (left === null) break
    await scheduler.wait(10)
  }
  await sweepRealms(env, Date.now() / 1_000)
  expect(await indexed(realm, ids)).toEqual([kept])
}, 120_000)

it('a deleted organization is in no row of D1 and no file of R2, by name or by text', async () => {
  const realm = await buildRealm()
  const mark = `zqorg${crypto.randomUUID().slice(0, 8)}`
  const channel = await buildChannel([realm.owner], { name: `${mark} channel` })
  const file = await upload(realm.owner, { name: `${mark}.txt`, content: `${mark} in a file` })
  await untilProjected(realm, [await sendTo(realm.owner, channel.id, mark, `${mark} [file](${file})`)])
  expect(await placesAnywhere(mark)).not.toEqual([])
  expectSuccess(await realm.owner.api.post('/realm/deactivate', { deletion_delay_days: 14 }))
  world.clockOffset += 14 * DAY
  await runAlarms(realm, 10)
  world.clockOffset += 11 * MINUTE
  await runAlarms(realm, 10)
  expect([...(await dumpObject(realm)).keys()]).toEqual([])
  for (const text of [mark, realm.host]) expect(await placesAnywhere(text)).toEqual([])
}, 120_000)
