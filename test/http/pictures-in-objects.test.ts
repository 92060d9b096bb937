import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { fetchPath, postFiles, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { type StoreInterceptor, world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
const calls: string[] = []
const store: StoreInterceptor = (call, method) => {
  calls.push(`store ${method}`)
  return call()
}
beforeEach(() => {
  calls.length = 0
  world.store = store
  world.hasher = (call, method) => {
    calls.push(method)
    return call()
  }
})
afterEach(() => {
  world.store = (call) => call()
  world.hasher = (call) => call()
})

const inObjects = () => calls.filter((call) => !call.startsWith('store'))

async function bytesAt(path: string): Promise<Uint8Array> {
  const response = await fetchPath(realm, path, ann)
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

it('a smaller form is drawn in an object, in one call, and then only read', async () => {
  const path = await upload(ann, PNG)
  const smaller = `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
  calls.length = 0
  const first = await bytesAt(smaller)
  // Then a copy is put near the reader.
  expect(calls.slice(0, 5)).toEqual(['store get', 'store get', 'reservePicture', 'fitInside', 'store put'])
  calls.length = 0
  expect(await bytesAt(smaller)).toEqual(first)
  expect(inObjects()).toEqual([])
})

it('a person’s picture is drawn in an object, each size in one call', async () => {
  expectSuccess(await postFiles(ann, '/users/me/avatar', [PNG]))
  expect(inObjects()).toEqual(['reservePicture', 'cropSquare', 'reservePicture', 'cropSquare'])
})

it('where too many wait, a picture is refused in words, and nothing is stored', async () => {
  world.hasher = async () => null
  const refused = await postFiles(ann, '/users/me/avatar', [PNG])
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(calls.filter((call) => call === 'store put')).toEqual([])
})

it('a Worker that does not give its place back keeps nobody waiting for long', async () => {
  const path = await upload(ann, PNG)
  const smaller = `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
  // The first one loses its connection with the place in hand.
  let lost = 0
  world.hasher = (call, method) => {
    if (method !== 'fitInside' || lost > 0) return call()
    lost += 1
    return Promise.reject(Object.assign(new Error('Network connection lost.'), { retryable: true }))
  }
  expect((await bytesAt(smaller)).length).toBeGreaterThan(0)
  expect(lost).toBe(1)
})
