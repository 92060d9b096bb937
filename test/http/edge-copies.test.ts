import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { finishExport, startExport } from '../support/exports.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { pngOf } from '../support/pictures.ts'
import { fetchPath, postFiles, readStatus, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/*
 * The tests use one cache and two people, of whom one may read a file. While the store does not answer, files come from the
 * edge's copy, for users whom the organization allows to read them and for nobody else.
 */

beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
/** Another organization. */
const { realm: other } = useRealm()
afterEach(() => vi.restoreAllMocks())

const thumbnail = (path: string) =>
  `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/300x200.webp`

/** Makes the edge keep a copy of the file, and the store fail until the end of the test. */
async function untilCopied(path: string, by?: TestUser): Promise<void> {
  expect(await readStatus(realm, path, by)).toBe(200)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect
    .poll(async () => {
      world.storeIsDown = true
      const status = await readStatus(realm, path, by)
      world.storeIsDown = status === 200
      return status
    })
    .toBe(200)
}

/** A file that Ann has sent to a private channel, to which Ben is not subscribed. */
async function privateFile(...others: TestUser[]): Promise<{ path: string; channel: string }> {
  const { id, name } = await buildChannel([ann, ...others], { invite_only: true })
  const path = await upload(ann, pngOf(400, 400))
  await sendTo(ann, id, 'a', `[p](${path})`)
  return { path, channel: name }
}

const posted = async (by: TestUser, path: string) => expectSuccess(await postFiles(by, path, [pngOf(9, 9)]))

/** Pictures that are loaded without credentials; each function returns its URL. */
const PICTURES_OF_ALL: Readonly<Record<string, () => Promise<string>>> = {
  'a picture of a person': async () => (await posted(ann, '/users/me/avatar')).avatar_url,
  'a custom emoji': async () => {
    await posted(realm.owner, '/realm/emoji/edge')
    const { emoji } = expectSuccess(await realm.owner.api.get('/realm/emoji'))
    return Object.values(emoji as Record<string, { name: string; source_url: string }>).find(
      ({ name }) => name === 'edge',
    )!.source_url
  },
  'an icon': async () => (await posted(realm.owner, '/realm/icon')).icon_url,
  'a logo': async () => (await posted(realm.owner, '/realm/logo?night=false')).logo_url,
}

/** URLs that nobody can guess, and that open their files to anybody who has them. */
const SECRET_ADDRESSES: Readonly<Record<string, () => Promise<{ path: string; close(): Promise<unknown> }>>> =
  {
    'an archive of an export': async () => {
      const id = await startExport(realm.owner)
      const { url } = await finishExport(realm, id)
      const close = async () => expectSuccess(await realm.owner.api.delete(`/export/realm/${id}`))
      return { path: new URL(url).pathname, close }
    },
    'a file at a temporary address': async () => {
      const { path } = await privateFile()
      const { url } = expectSuccess(await ann.api.get(path))
      const { attachments } = expectSuccess(await ann.api.get('/attachments'))
      const { id } = attachments.find(({ path_id }: { path_id: string }) => path.endsWith(path_id))
      return { path: url, close: async () => expectSuccess(await ann.api.delete(`/attachments/${id}`)) }
    },
  }

describe('the edge’s copy of a file', () => {
  it.each([
    ['a file', (path: string) => path],
    ['a thumbnail', thumbnail],
  ])('that is %s is sent to users who may read it, and to nobody else', async (_, form) => {
    const { path } = await privateFile()
    await untilCopied(form(path), ann)
    expect(await readStatus(realm, form(path), ann)).toBe(200)
    expect(await readStatus(realm, form(path), ben)).toBe(403)
    expect(await readStatus(realm, form(path))).toBe(403)
  })

  it('is not sent any more to users who lost access', async () => {
    const cleo = await buildUser(realm, { name: 'Cleo' })
    const { path, channel } = await privateFile(cleo)
    await untilCopied(path, cleo)
    expectSuccess(await cleo.api.delete('/users/me/subscriptions', { subscriptions: [channel] }))
    expect(await readStatus(realm, path, cleo)).toBe(403)
    expect(await readStatus(realm, path, ann)).toBe(200)
  })

  it('is sent to nobody when the file is deleted', async () => {
    const path = await upload(ann)
    await untilCopied(path, ann)
    world.storeIsDown = false
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    const { id } = attachments.find(({ path_id }: { path_id: string }) => path.endsWith(path_id))
    expectSuccess(await ann.api.delete(`/attachments/${id}`))
    expect(await readStatus(realm, path, ann)).toBe(404)
  })

  it('has ranges, and is not sent to a browser that has it', async () => {
    const path = await upload(ann, { content: '0123456789' })
    await untilCopied(path, ann)
    const part = await fetchPath(realm, path, ann, { headers: { Range: 'bytes=2-4' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    const whole = await fetchPath(realm, path, ann)
    expect([whole.headers.get('cache-control'), await whole.text()]).toEqual([
      'private, no-cache',
      '0123456789',
    ])
    const etag = whole.headers.get('etag')!
    for (const version of [etag, `W/${etag}`, `"another", W/${etag}`, '*']) {
      const response = await fetchPath(realm, path, ann, { headers: { 'If-None-Match': version } })
      expect([response.status, await response.text()]).toEqual([304, ''])
    }
    const unknown = { headers: { 'If-None-Match': `"another"` } }
    expect((await fetchPath(realm, path, ann, unknown)).status).toBe(200)
    const known = { headers: { 'If-None-Match': etag } }
    // Users who may not read it get neither a part of it nor a 304.
    const asked = [known, { headers: { Range: 'bytes=2-4' } }, { headers: { Range: 'bytes=99-' } }]
    for (const request of asked) {
      for (const by of [ben, undefined]) {
        const refused = await fetchPath(realm, path, by, request)
        expect([refused.status, refused.headers.get('content-range'), refused.headers.get('etag')]).toEqual([
          ...[403, null, null],
        ])
      }
    }
  })

  it('cannot be fetched by its cache URL', async () => {
    const path = await upload(ann)
    await untilCopied(path, ann)
    const key = path.replace('/user_uploads/', '')
    for (const guess of [`/${key}`, `/stored-files/${key}`, `/${encodeURIComponent(`uploads/${key}`)}`]) {
      expect(await readStatus(realm, guess, ann)).toBe(404)
    }
  })

  it.each(Object.keys(SECRET_ADDRESSES))(
    'that is %s needs its URL and host, and is sent to nobody once invalid',
    async (kind) => {
      const { path, close } = await SECRET_ADDRESSES[kind]!()
      expect(await readStatus(realm, path)).toBe(200)
      expect(await readStatus(realm, path, ben)).toBe(200)
      const guess = path.replace(/[0-9a-f](?=[^/]*\/[^/]*$)/, (digit) => (digit === '0' ? '1' : '0'))
      expect(guess).not.toBe(path)
      expect([403, 404]).toContain(await readStatus(realm, guess, ben))
      expect([403, 404]).toContain(await readStatus(other, path, other.owner))
      await close()
      expect([403, 404]).toContain(await readStatus(realm, path, ann))
    },
  )

  it('that is a file of the page is the same for all, without an account', async () => {
    const asset = { fetch: async () => new Response('x') }
    world.bindings = { ASSETS: asset }
    const path = '/page/a-12345678.js'
    const readers = [
      [realm, ann],
      [realm, ben],
      [realm, undefined],
      [other, other.owner],
    ] as const
    for (const [at, by] of readers) {
      const response = await fetchPath(at, path, by)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await response.text()).toBe('x')
    }
  })

  it.each(Object.keys(PICTURES_OF_ALL))(
    'of %s is sent to anybody, at the host of the organization alone',
    async (kind) => {
      const { pathname, search } = new URL(await PICTURES_OF_ALL[kind]!(), `http://${realm.host}`)
      const path = `${pathname}${search}`
      await untilCopied(path)
      for (const by of [undefined, ben]) {
        const { status, headers } = await fetchPath(realm, path, by)
        expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      }
      expect(await readStatus(other, path, other.owner)).toBe(404)
    },
  )
})
