import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { findingsIn } from '../support/findings.ts'
import { inRealm } from '../support/inside.ts'
import { captureLog } from '../support/log-lines.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['ann'] } })

describe('a build whose D1 lacks a migration', () => {
  it.each([
    'no such table: account: SQLITE_ERROR',
    'no such column: origin at offset 12: SQLITE_ERROR',
    'table message_body has no column named origin: SQLITE_ERROR',
  ])('serves what needs no D1, answers 503 otherwise, and catches up: %s', async (error) => {
    const early = await sendTo(ann, channel.id, 'stores', 'before')
    await untilProjected(realm, [early])
    const log = captureLog()
    world.d1 = () => Promise.reject(new Error(`D1_ERROR: ${error}`))
    const late = await sendTo(ann, channel.id, 'stores', 'meanwhile')
    expect(expectSuccess(await ann.api.get(`/messages/${late}`)).message.content).toContain('meanwhile')
    const search = { anchor: 'newest', num_before: 5, num_after: 0 }
    const narrow = [{ operator: 'search', operand: 'before' }]
    const refused = await ann.api.get('/messages', { ...search, narrow })
    const said = [refused.status, refused.headers.get('retry-after'), refused.body.code]
    expect(said).toEqual([503, '60', 'SERVICE_UNAVAILABLE'])
    const what = 'D1 lacks a migration of this build, which `npm run deploy` applies'
    expect(log.lines().map((line) => line.what)).toContain(what)
    world.d1 = (call) => call()
    world.clockOffset += 120
    await inRealm(realm, ({ parts }) => parts.projector.kick())
    await untilProjected(realm, [late])
    expect(expectSuccess(await ann.api.get('/messages', { ...search, narrow })).messages).not.toEqual([])
    const refusedEntries = `SELECT count(*) FROM refused_entry`
    expect(await inRealm(realm, ({ parts }) => parts.sql.value(refusedEntries))).toBe(0)
  })
})

describe('a build whose D1 has a migration of the next', () => {
  /** Its tables, without those of the search index. */
  const tables = async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
       AND name NOT GLOB 'message_search*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
    ).all<{ name: string }>()
    return results.map(({ name }) => name)
  }
  beforeAll(async () => {
    for (const name of await tables()) {
      await env.DB.prepare(`ALTER TABLE ${name} ADD COLUMN of_next TEXT DEFAULT 'next'`).run()
    }
    await env.DB.prepare('CREATE TABLE next (id INTEGER PRIMARY KEY)').run()
  })
  afterAll(async () => {
    await env.DB.prepare('DROP TABLE next').run()
    for (const name of await tables()) {
      await env.DB.prepare(`ALTER TABLE ${name} DROP COLUMN of_next`).run()
    }
  })

  it('founds, writes, edits, searches, deletes and verifies as before', async () => {
    // The tests' copies of D1 have the tables of this build.
    world.copy = undefined
    world.wrote = () => {}
    const { realm, owner, general } = await buildRealm({}, { channels: { general: ['owner'] } })
    const kept = await sendTo(owner, general.id, 'stores', 'kept here')
    const gone = await sendTo(owner, general.id, 'stores', 'gone')
    await untilProjected(realm, [kept, gone])
    expectSuccess(await owner.api.patch(`/messages/${kept}`, { content: 'edited here' }))
    expectSuccess(await owner.api.delete(`/messages/${gone}`))
    const page = { anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false }
    const narrow = [{ operator: 'search', operand: 'edited' }]
    const { messages } = expectSuccess(await owner.api.get('/messages', { ...page, narrow }))
    expect(messages).toMatchObject([{ id: kept, content: 'edited here' }])
    expect(await findingsIn(realm)).toEqual([])
  })
})
