import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { pngOf } from '../../support/pictures.ts'
import { askTus, CHUNK, MIB } from '../../support/tus.ts'
import { fetchPath, postFiles, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

/*
 * A file of a user whom the organization has let in recently is stored while the organization is being asked. Files of
 * other users wait for its answer, and nothing is left of files that it refuses.
 */

neverEvict()
const { realm, ann } = useRealm({ ann: 'member' })
beforeAll(() => meet(ann))

/** Makes the Worker remember this user as one whom the organization accepts. */
async function meet({ api }: TestUser): Promise<void> {
  expectSuccess(await api.get('/users/me'))
}

async function storedKeys(): Promise<string[]> {
  const prefixes = [`user_uploads/${realm.id}/`, `images/${realm.id}/`]
  const lists = await Promise.all(prefixes.map((prefix) => env.UPLOADS.list({ prefix })))
  return lists.flatMap(({ objects }) => objects.map(({ key }) => key))
}

const stored = async () => (await storedKeys()).length

/** Records the calls to the store and to the organization, in order: with `put` before `asked` the file is stored at once. */
function listen(): string[] {
  const heard: string[] = []
  world.store = (call, method) => {
    heard.push(method)
    return call()
  }
  world.reach = async (call) => {
    const answer = await call()
    heard.push('answered')
    return answer
  }
  return heard
}

/** Makes the organization answer only when the file is in the store, or is being removed from it again. */
function answersLate(): void {
  const isPut = Promise.withResolvers<void>()
  world.store = async (call, method) => {
    const answer = await call()
    if (method === 'put') isPut.resolve()
    return answer
  }
  world.reach = async (call) => {
    const answer = await call()
    await isPut.promise
    return answer
  }
}

const withData = (user: TestUser, length: number, body: BodyInit) =>
  askTus(user, 'POST', '/api/v1/tus/', {
    headers: { ...CHUNK, 'Upload-Length': String(length) },
    body,
  })

describe('a file from a caller whom the organization does not authenticate', () => {
  it('is not stored even in part, with a wrong key or none', async () => {
    const before = await stored()
    const heard = listen()
    const stranger = { ...ann, apiKey: 'x'.repeat(32) }
    expect((await postFiles(stranger, '/user_uploads', [{}])).status).toBe(401)
    expect((await withData(stranger, 3, 'abc')).status).toBe(401)
    expect(heard).toEqual(['answered', 'answered'])
    expect(await stored()).toBe(before)
  })

  it('is deleted if stored meanwhile, and next time waits for authentication', async () => {
    const attempts = [
      (gone: TestUser) => postFiles(gone, '/user_uploads', [{}]),
      (gone: TestUser) => postFiles(gone, '/users/me/avatar', [pngOf(9, 9)]),
      (gone: TestUser) => withData(gone, 3, 'abc'),
    ]
    const before = await stored()
    for (const attempt of attempts) {
      const gone = await buildUser(realm)
      await meet(gone)
      expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
      answersLate()
      expect((await attempt(gone)).status).toBe(401)
      await expect.poll(stored).toBe(before)
      const heard = listen()
      expect((await attempt(gone)).status).toBe(401)
      // A removal may still be of the first attempt.
      expect(heard.filter((call) => call !== 'delete')).toEqual(['answered'])
    }
  })
})

describe('a file that is refused after it was stored', () => {
  it('is deleted: beyond the quota, or not allowed for the caller', async () => {
    const before = await stored()
    world.settings = { UPLOAD_QUOTA_MIB: '1' }
    const large = new Uint8Array(MIB + 1)
    const post = await postFiles(ann, '/user_uploads', [{ content: large }])
    expect(post.body.code).toBe('REALM_UPLOAD_QUOTA')
    await meet(ann)
    expect((await withData(ann, large.length, large)).body.code).toBe('REALM_UPLOAD_QUOTA')
    world.settings = {}
    await meet(ann)
    expect((await withData(ann, 3, 'abcd')).status).toBe(413)
    await meet(ann)
    expect((await postFiles(ann, '/realm/icon', [pngOf(9, 9)])).status).toBe(400)
    await meet(ann)
    expect((await postFiles(ann, '/users/me/avatar', [{ content: 'no picture' }])).status).toBe(400)
    await expect.poll(stored).toBe(before)
  })
})

describe('a file that is accepted', () => {
  it('is what was sent, however far the store had got', async () => {
    const read = async (path: string) => (await fetchPath(realm, path, ann)).text()
    expect(await read(await upload(ann, { content: 'at once' }))).toBe('at once')
    const whole = await withData(ann, 5, 'whole')
    expect([whole.status, whole.headers.get('upload-offset')]).toEqual([201, '5'])
    expect(await read(whole.body.url)).toBe('whole')
    const part = await withData(ann, 6, 'begin')
    expect([part.status, part.headers.get('upload-offset')]).toEqual([201, '5'])
    const end = await askTus(ann, 'PATCH', new URL(part.headers.get('location')!, 'http://x').pathname, {
      headers: { ...CHUNK, 'Upload-Offset': '5', 'Content-Length': '1' },
      body: 's',
    })
    expect(await read(end.body.url)).toBe('begins')
  })

  it('with an Idempotency-Key is stored once, however often it comes', async () => {
    // Files that an earlier test's request left may be deleted at the same time.
    const before = await storedKeys()
    const post = () => {
      const form = new FormData()
      form.append('file', new File(['once'], 'a.txt'))
      const headers = {
        Authorization: `Basic ${btoa(`${ann.email}:${ann.apiKey}`)}`,
        'Idempotency-Key': 'k1',
      }
      return fetchPath(realm, '/api/v1/user_uploads', undefined, { method: 'POST', headers, body: form })
    }
    const answers = [await post(), await post()]
    const [first, second] = await Promise.all(answers.map((answer) => answer.json<{ url: string }>()))
    expect(second!.url).toBe(first!.url)
    expect((await storedKeys()).filter((key) => !before.includes(key))).toHaveLength(1)
  })
})
