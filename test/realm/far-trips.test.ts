import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { OTHER_TRIPS, tripsOf } from '../meter/trips.ts'
import { realmStub } from '../support/api.ts'
import { Browser } from '../support/browsing.ts'
import { buildUser, createBot, expectSuccess } from '../support/factories.ts'
import { captureLog } from '../support/log-lines.ts'
import { neverEvict } from '../support/never-evict.ts'
import { pngOf } from '../support/pictures.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { countAtBindings } from '../support/trips-at-bindings.ts'
import { askTus, beginUpload, CHUNK } from '../support/tus.ts'
import { fetchPath, postFiles, upload } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/*
 * How long a user waits who is far from the realm object, D1 and R2: successive round trips, of real requests.
 * test/meter/rows-of-operations.long.test.ts rehearses them, which makes only the first of several steps.
 */

const PASSWORD = 'correct horse'
const FILES: Readonly<Record<string, string>> = { '/index.html': '<p>', '/page/a-12345678.js': 'x' }
const ASSETS = {
  fetch: async ({ url }: Request) => {
    const file = FILES[new URL(url).pathname]
    return new Response(file ?? null, { status: file === undefined ? 404 : 200 })
  },
}

neverEvict()
// Before the organization is made: a failure then would have its projection wait.
useReliableD1()
const { realm, ann } = useRealm({ ann: 'member' })
beforeAll(async () => {
  // The Worker knows the users from now on.
  for (const { api } of [ann, realm.owner]) expectSuccess(await api.get('/users/me'))
})
beforeEach(() => {
  world.bindings = { ASSETS }
})
afterEach(() => vi.restoreAllMocks())

/** Returns the trips of the only request that `act` makes; they are counted at the bindings too. */
async function tripsWhile(act: () => Promise<unknown>) {
  const log = captureLog()
  const atBindings = await countAtBindings(act)
  vi.restoreAllMocks()
  const line = log.lines('request').at(-1)!
  const logged = { far: line.far_trips, near: line.near_trips }
  expect(logged, 'as the log says, and as it is counted at the bindings').toEqual(atBindings)
  return logged
}

/** Reads a path until the edge has a copy of it, which is made along with the first answer. */
async function readTwice(path: string): Promise<void> {
  await read(path)
  world.storeIsDown = true
  const hasCopy = async () => {
    const response = await fetchPath(realm, path, ann)
    await response.arrayBuffer()
    return response.status === 200
  }
  await expect.poll(hasCopy).toBe(true)
  world.storeIsDown = false
}

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetchPath(realm, path, ann, { headers })
  await response.arrayBuffer()
  expect([200, 304]).toContain(response.status)
  return response
}
const thumbnail = (path: string) =>
  `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/300x200.webp`
const send = async (content: string): Promise<number> =>
  expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [realm.owner.id], content })).id
const project = () => realmStub(realm.id).projectedRows()

/**
 * Makes the object answer its calls, from call `from` on, only when the work that began along with them has reached the store.
 */
function objectIsFar(from = 1): void {
  const begun = Promise.withResolvers<void>()
  let calls = 0
  world.store = (call, method) => {
    if (method === 'put') begun.resolve()
    return call()
  }
  world.reach = async (call) => {
    calls += 1
    if (calls >= from) await begun.promise
    return call()
  }
}

/**
 * Requests by their names in the table. Each function prepares what the request needs, and returns a function that makes
 * it.
 */
type Steps = Readonly<Record<string, () => Promise<() => Promise<unknown>>>>

const posted =
  (path: string, user = () => realm.owner) =>
  async () => {
    objectIsFar()
    return async () => expectSuccess(await postFiles(user(), path, [pngOf(9, 9)]))
  }

const STEPS: Steps = {
  'create-user': async () => {
    world.settings = { ...world.settings, CAN_CREATE_USERS: `${realm.host}/${realm.owner.email}` }
    const params = { email: `new@${realm.host}`, password: PASSWORD, full_name: 'New' }
    return async () => expectSuccess(await realm.owner.api.post('/users', params))
  },
  'fetch-api-key': async () => async () =>
    expectSuccess(
      await realm.anonymous.post('/fetch_api_key', { username: realm.owner.email, password: PASSWORD }),
    ),
  'fetch-own-api-key': async () => {
    const browser = new Browser(realm.host)
    await browser.logIn(realm.owner.email, PASSWORD)
    // The Worker has looked once for the level of another client in place of the page.
    await browser.json('GET', '/users/me')
    return async () => expectSuccess(await browser.json('POST', '/fetch_api_key', { password: PASSWORD }))
  },
  'test-incoming-webhook': async () => {
    const bot = await createBot(realm.owner, 'Far hook', { bot_type: 2 })
    const path = `/bots/${bot.id}/incoming_webhook`
    expectSuccess(await realm.owner.api.patch(path, { secret: 'secret' }))
    return async () => expectSuccess(await realm.owner.api.post(`${path}/test`, { integration: 'github' }))
  },
  'upload-file': async () => {
    objectIsFar()
    return () => upload(ann)
  },
  'upload-avatar': posted('/users/me/avatar'),
  'upload-custom-emoji': posted('/realm/emoji/far'),
  'upload-realm-icon': posted('/realm/icon'),
  'upload-realm-logo': posted('/realm/logo?night=false'),
  'create-resumable-upload': async () => () => beginUpload(ann, 3),
  'append-to-resumable-upload': async () => {
    const path = await beginUpload(ann, 3)
    const headers = { ...CHUNK, 'Upload-Offset': '0', 'Content-Length': '3' }
    objectIsFar()
    return async () => expect((await askTus(ann, 'PATCH', path, { headers, body: 'abc' })).status).toBe(200)
  },
}

const OTHER_STEPS: Steps = {
  'the first request of an organization in an isolate': async () => {
    const { realm: other } = await buildRealm()
    return async () => expectSuccess(await other.owner.api.get('/users/me'))
  },
  'a page of a search': async () => {
    await send('a zebra')
    await project()
    const narrow = [{ operator: 'search', operand: 'zebra' }]
    const page = { anchor: 'newest', num_before: 9, num_after: 0, narrow }
    return async () => expect(expectSuccess(await ann.api.get('/messages', page)).messages).toHaveLength(1)
  },
  'an edit of a message that D1 has not yet': async () => {
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 is down')) : call())
    const id = await send('not there yet')
    return async () => expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'nor this' }))
  },
  'a new password': async () => async () => {
    const params = { old_password: PASSWORD, new_password: `${PASSWORD} again` }
    expectSuccess(await realm.owner.api.patch('/settings', params))
  },
  'a file that comes with its announcement': async () => {
    const headers = { ...CHUNK, 'Upload-Length': '3' }
    objectIsFar()
    return async () => {
      const { status, body } = await askTus(ann, 'POST', '/api/v1/tus/', { headers, body: 'abc' })
      expect([status, body.url]).toEqual([201, expect.any(String)])
    }
  },
  'a file of somebody whom the Worker does not know': async () => {
    const stranger = await buildUser(realm)
    return () => upload(stranger)
  },
  'a bot with a picture': async () => {
    objectIsFar(2)
    return async () =>
      expectSuccess(
        await postFiles(realm.owner, '/bots', [pngOf(9, 9)], { full_name: 'Robot', short_name: 'robot' }),
      )
  },
  'an uploaded file': async () => {
    const path = await upload(ann)
    await readTwice(path)
    return () => read(path)
  },
  'an uploaded file that the browser still has': async () => {
    const path = await upload(ann)
    const tag = (await read(path)).headers.get('etag')!
    return async () => expect((await read(path, { 'If-None-Match': tag })).status).toBe(304)
  },
  'a thumbnail': async () => {
    const path = thumbnail(await upload(ann, pngOf(400, 400)))
    await readTwice(path)
    return () => read(path)
  },
  'a picture of a person, an emoji, an icon': async () => {
    const { avatar_url } = expectSuccess(await postFiles(ann, '/users/me/avatar', [pngOf(9, 9)]))
    await readTwice(avatar_url)
    return () => read(avatar_url)
  },
  'the built-in page': async () => {
    // The Worker has looked once whether another client is installed in place of the page.
    await read('/')
    return () => read('/')
  },
  'a file of the page': async () => () => read('/page/a-12345678.js'),
}

describe('an operation in steps makes the trips that the table lists', () => {
  it.each(Object.keys(STEPS))('%s', async (name) => {
    const ask = await STEPS[name]!()
    expect(await tripsWhile(ask)).toEqual(tripsOf(name))
  })
})

describe('the same holds for', () => {
  it.each(Object.keys(OTHER_STEPS))('%s', async (name) => {
    const ask = await OTHER_STEPS[name]!()
    expect(await tripsWhile(ask)).toEqual(OTHER_TRIPS.get(name))
  })
})
