import { describe, expect, it } from 'vitest'
import { announce, headersFor, seen } from '../../support/announcements.ts'
import { type ApiResponse, askWorker } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { askTus, CHUNK, offsetOf, sendChunk } from '../../support/tus.ts'
import { authorization, fetchPath } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function contentAt({ body }: ApiResponse, user = ann): Promise<string> {
  return (await fetchPath(realm, body.url, user)).text()
}

async function attachmentsOf(user: TestUser): Promise<{ id: number }[]> {
  return expectSuccess(await user.api.get('/attachments')).attachments
}

describe('an announcement that is repeated with its key', () => {
  it('has the first answer when the whole file came with it, which stays', async () => {
    const key = crypto.randomUUID()
    const before = (await attachmentsOf(ann)).length
    const first = await announce(ann, key, 5, 'hello')
    expect(seen(await announce(ann, key, 5, 'hello'))).toEqual(seen(first))
    expect(await contentAt(first)).toBe('hello')
    expect((await attachmentsOf(ann)).length).toBe(before + 1)
  })

  it('is refused with other bytes or another length, and the file stays', async () => {
    const key = crypto.randomUUID()
    const first = await announce(ann, key, 5, 'hello')
    const others = [await announce(ann, key, 5, 'HELLO'), await announce(ann, key, 6, 'hello!')]
    expect(others.map(({ status }) => status)).toEqual([422, 422])
    expect(await contentAt(first)).toBe('hello')
  })

  it('says how far the upload has come meanwhile', async () => {
    const key = crypto.randomUUID()
    const first = await announce(ann, key, 10, 'hello')
    expect(seen(await announce(ann, key, 10, 'hello'))).toEqual(seen(first))
    const last = await sendChunk(ann, first.headers.get('location')!, 5, 'world')
    expect(await contentAt(last)).toBe('helloworld')
    const { url } = last.body
    expect(seen(await announce(ann, key, 10, 'hello'))).toEqual({ ...seen(first), offset: '10', url })
  })

  it('of an empty file, and of one that comes later, has the first answer', async () => {
    const [empty, later] = [crypto.randomUUID(), crypto.randomUUID()]
    const first = await announce(ann, empty, 0, '')
    expect(first.status).toBe(201)
    expect(seen(await announce(ann, empty, 0, ''))).toEqual(seen(first))
    const begun = await announce(ann, later, 5, null)
    expect(seen(await announce(ann, later, 5, null))).toEqual(seen(begun))
    expect(await offsetOf(ann, begun.headers.get('location')!)).toBe(0)
  })

  it('goes on from what had arrived when the connection broke', async () => {
    const key = crypto.randomUUID()
    const chunks = [new TextEncoder().encode('hel')]
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk) controller.enqueue(chunk)
        else controller.error(new Error('The connection was lost'))
      },
    })
    const headers = { 'Tus-Resumable': '1.0.0', ...authorization(ann), ...headersFor(key, 5) }
    const broken = new Request(`http://${realm.host}/api/v1/tus/`, { method: 'POST', headers, body })
    await askWorker(broken).catch(() => {})
    const again = await announce(ann, key, 5, 'hello')
    expect(again.status).toBe(201)
    const offset = Number(again.headers.get('upload-offset'))
    const last =
      offset === 5
        ? again
        : await sendChunk(ann, again.headers.get('location')!, offset, 'hello'.slice(offset))
    expect(await contentAt(last)).toBe('hello')
  })

  it('is answered for the one file, also while the first is under way', async () => {
    const key = crypto.randomUUID()
    const before = (await attachmentsOf(ann)).length
    const both = await Promise.all([announce(ann, key, 5, 'hello'), announce(ann, key, 5, 'hello')])
    const answered = both.filter(({ status }) => status === 201)
    const again = await announce(ann, key, 5, 'hello')
    for (const one of answered) expect(seen(again)).toEqual(seen(one))
    expect(await contentAt(again)).toBe('hello')
    expect((await attachmentsOf(ann)).length).toBe(before + 1)
  })

  it('is one’s own: the same key of another account announces another file', async () => {
    const key = crypto.randomUUID()
    const first = await announce(ann, key, 5, 'hello')
    const other = await announce(ben, key, 5, 'other')
    expect(other.headers.get('location')).not.toBe(first.headers.get('location'))
    expect([await contentAt(first), await contentAt(other, ben)]).toEqual(['hello', 'other'])
  })

  it('is not confused with the chunks that follow under the same key', async () => {
    const key = crypto.randomUUID()
    const first = await announce(ann, key, 5, null)
    const url = first.headers.get('location')!
    const headers = { ...CHUNK, 'Upload-Offset': '0', 'Idempotency-Key': key }
    const last = await askTus(ann, 'PATCH', url, { headers, body: 'hello' })
    expect(await contentAt(last)).toBe('hello')
    expect((await announce(ann, key, 5, null)).headers.get('location')).toBe(url)
  })

  it('announces nothing once the file is deleted', async () => {
    const key = crypto.randomUUID()
    await announce(ann, key, 5, 'hello')
    const id = Math.max(...(await attachmentsOf(ann)).map((one) => one.id))
    expectSuccess(await ann.api.delete(`/attachments/${id}`))
    const again = await announce(ann, key, 5, 'hello')
    expect([again.status, (await attachmentsOf(ann)).some((one) => one.id === id)]).toEqual([404, false])
  })
})
