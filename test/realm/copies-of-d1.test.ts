import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, realmStub } from '../support/api.ts'
import { laggingCopy } from '../support/copies-of-d1.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { forgetTexts } from '../support/forget-texts.ts'
import { inRealm } from '../support/inside.ts'
import { indexedText } from '../support/inside-rows.ts'
import { captureLog } from '../support/log-lines.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { DAY } from '../support/times.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { linked, shown, standInForTheWeb, work } from '../support/web.ts'
import { world } from '../support/world.ts'

/*
 * Reads may be answered by a copy of D1 that is behind. In these tests the copy gets no more writes from a moment that each
 * test chooses.
 */

/**
 * The organization of the running `describe`, which the functions below use. It is founded while the copy still gets
 * writes.
 */
let realm: TestRealm
let ann: TestUser
const web = standInForTheWeb()
neverEvict()
useReliableD1()
const listen = () => {
  world.copy = laggingCopy
  world.wrote = (statements, name) => laggingCopy.wrote(statements, name)
}
beforeAll(async () => {
  const copies = [env.DB_COPY, env.SPARE_1_COPY, env.SPARE_2_COPY]
  for (const db of [env.SPARE_1, env.SPARE_2, ...copies]) await applyD1Migrations(db, env.TEST_MIGRATIONS)
})
afterEach(() => {
  laggingCopy.letGo()
  vi.restoreAllMocks()
})

/** Waits until D1 has everything, so that no text is read from the log. */
async function project(): Promise<void> {
  await realmStub(realm.id).projectedRows()
}

/** Waits until D1 and its copy have everything; from then on only D1 gets writes. */
async function hold(): Promise<void> {
  await project()
  await laggingCopy.hold()
}

async function send(content: string): Promise<number> {
  const sent = { type: 'direct', to: [realm.owner.id], content }
  return expectSuccess(await ann.api.post('/messages', sent)).id
}

const edit = async (id: number, content: string) =>
  expectSuccess(await ann.api.patch(`/messages/${id}`, { content }))
const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false }

async function contents(by: TestUser, narrow: object[] = []): Promise<string[]> {
  await forgetTexts()
  const { messages } = expectSuccess(await by.api.get('/messages', { ...page, narrow }))
  return messages.map(({ content }: { content: string }) => content)
}

/** Returns the far and the near trips of the only request that `act` makes. */
async function tripsOf(act: () => Promise<unknown>): Promise<[unknown, unknown]> {
  const log = captureLog()
  await act()
  vi.restoreAllMocks()
  const [line] = log.lines('request')
  return [line!.far_trips, line!.near_trips]
}

describe.each([
  ['D1', 'DB', 0],
  ['a further database of texts', 'BODIES_2', 2],
] as const)('a copy of %s that is behind', (_what, database, bodyDatabases) => {
  const begin = () => {
    listen()
    world.bodyDatabases = bodyDatabases
  }
  beforeAll(() => {
    begin()
    // D1 is as shaky as before again after a test, and a failed founding would pause what the first tests send.
    world.d1 = (call) => call()
  })
  const organization = useRealm({ ann: 'member' })
  beforeEach(() => {
    begin()
    realm = organization.realm
    ann = organization.ann
  })

  it('serves the texts of a page, without a call of D1', async () => {
    const id = await send('a text')
    await hold()
    const before = { ...laggingCopy.reads }
    expect(await tripsOf(() => ann.api.get(`/messages/${id}`))).toEqual([1, 1])
    expect(laggingCopy.reads).toEqual({ ...before, [database]: before[database]! + 1 })
  })

  it('never shows the text from before an edit: D1 itself is asked, once more', async () => {
    const id = await send('as it was')
    await hold()
    await edit(id, 'as it is')
    await project()
    const trips = await tripsOf(async () => expect((await contents(ann)).at(-1)).toBe('as it is'))
    expect(trips).toEqual([2, 1])
  })

  it('does not hide what was just sent', async () => {
    await hold()
    const before = await contents(ann)
    await send('just sent')
    expect((await contents(ann)).at(-1)).toBe('just sent')
    await project()
    expect(await contents(ann)).toEqual([...before, 'just sent'])
  })

  it('does not disturb an edit of a message it has an older text of', async () => {
    const id = await send('first')
    await hold()
    await edit(id, 'second')
    await project()
    await edit(id, 'third')
    await project()
    const { message_history } = expectSuccess(await ann.api.get(`/messages/${id}/history`))
    const texts = message_history.map(({ content }: { content: string }) => content)
    expect(texts).toEqual(['first', 'second', 'third'])
  })

  it('serves searches, and D1 itself does when it is behind', async () => {
    const zebra = [{ operator: 'search', operand: 'zebra' }]
    const first = await send('a zebra')
    await hold()
    expect(await contents(ann, zebra)).toEqual(['a zebra'])
    expect(await tripsOf(() => contents(ann, zebra))).toEqual([1, 2])
    await send('another zebra')
    await edit(first, 'a horse')
    await project()
    expect(await contents(ann, zebra)).toEqual(['another zebra'])
    expect(await contents(ann, [{ operator: 'search', operand: 'horse' }])).toEqual(['a horse'])
  })

  it('does not know a new organization, which works all the same', async () => {
    await laggingCopy.hold()
    const { owner: stranger } = await buildRealm()
    expectSuccess(await stranger.api.get('/users/me'))
  })

  it('is known to have an earlier write once a later one is known', async () => {
    world.wrote = () => {}
    const unheard = await send('a quagga')
    await project()
    await buildRealm()
    listen()
    const heard = await send('another quagga')
    await hold()
    expect(await tripsOf(() => contents(ann))).toEqual([1, 1])
    expect((await contents(ann)).slice(-2)).toEqual(['a quagga', 'another quagga'])
    const quagga = [{ operator: 'search', operand: 'quagga' }]
    expect(await tripsOf(() => contents(ann, quagga))).toEqual([1, 2])
    const found = expectSuccess(await ann.api.get('/messages', { ...page, narrow: quagga })).messages
    expect(found.map(({ id }: { id: number }) => id)).toEqual([unheard, heard])
    laggingCopy.letGo()
    const { realm: next } = await buildRealm()
    await laggingCopy.hold()
    const known = env.DB_COPY.prepare('SELECT id FROM realm WHERE host = ?').bind(next.host)
    expect(await known.first('id')).toBe(next.id)
  })

  it('shows nothing of the time that a restored object has lost', async () => {
    // One of its own, since no copy is read for it for a day.
    ;({ realm, ann } = await buildRealm({ ann: 'member' }))
    const id = await send('in the copy of the object')
    await hold()
    await inRealm(realm, ({ parts }) => parts.projector.saveCursors())
    const stores = database === 'DB' ? [env.DB, env.DB_COPY] : [env.SPARE_2, env.SPARE_2_COPY]
    const inEach = async (query: string, ...values: unknown[]) => {
      for (const db of stores)
        await db
          .prepare(query)
          .bind(realm.id, ...values)
          .run()
    }
    const lost = [id + 1, 'a secret of the lost time', '<p>secret</p>']
    await inEach(`INSERT INTO message_body VALUES (?, ?, 0, ?, ?, '[]')`, ...lost)
    const index = 'INSERT OR REPLACE INTO message_search (rowid, text) VALUES ((?1 << 32) + ?2, ?3)'
    await inEach(index, id + 1, indexedText('a secret of the lost time'))
    await inEach('UPDATE projection SET applied = applied + 9 WHERE realm_id = ?')
    await evictRealm(realm.id)
    // The first message has the id of one of that time.
    expect(await send('sent afterwards')).toBe(id + 1)
    await project()
    expect((await contents(ann)).slice(-2)).toEqual(['in the copy of the object', 'sent afterwards'])
    expect(await tripsOf(() => ann.api.get(`/messages/${id}`))).toEqual([2, 0])
    const inObject = await inRealm(realm, ({ parts }) =>
      parts.tail.readerOver(parts).readVersions([{ id: id + 1, version: 0 }]),
    )
    expect(inObject.get(id + 1)?.content).toBe('sent afterwards')
    const found = (operand: string) => contents(ann, [{ operator: 'search', operand }])
    expect([await found('secret'), await found('afterwards')]).toEqual([[], ['sent afterwards']])
    // After a day the copy has it as well.
    laggingCopy.letGo()
    world.clockOffset += DAY + 1
    expect(await tripsOf(() => ann.api.get(`/messages/${id}`))).toEqual([1, 1])
  })

  it('does not hide the preview of a website, which is not an edit', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { inline_url_embed_preview: true }))
    const id = await send(web.site)
    await hold()
    const rendered = async () => expectSuccess(await ann.api.get(`/messages/${id}`)).message.content
    expect(await rendered()).toBe(linked(web.site))
    await work(realm)
    await project()
    expect(await rendered()).toBe(shown(web.site))
  })
})
