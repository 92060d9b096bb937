import { env } from 'cloudflare:workers'
import { Buffer } from 'node:buffer'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { loseAnswer } from '../../support/lost-answers.ts'
import { openQueue } from '../../support/queues.ts'
import { askTus, beginUpload, bytes, CHUNK, MIB, metadata, offsetOf, sendChunk } from '../../support/tus.ts'
import { bodyAfter, fetchPath, readStatus, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function contentOf(path: string, user = ann, of = realm): Promise<Uint8Array> {
  return new Uint8Array(await (await fetchPath(of, path, user)).arrayBuffer())
}

/** Compares bytes without printing megabytes when they differ. */
function expectSame(found: Uint8Array, expected: Uint8Array): void {
  expect(found.length).toBe(expected.length)
  expect(Buffer.from(found).equals(expected)).toBe(true)
}

/** Returns a body that breaks off after these chunks. */
function breakingOff(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.error(new Error('The connection was lost'))
    },
  })
}

/** Returns the objects in the store that belong to this organization. */
async function storedObjects(of = realm): Promise<number> {
  return (await env.UPLOADS.list({ prefix: `user_uploads/${of.id}/` })).objects.length
}

/** Moves the clock and removes the uploads that are due by then. */
async function removeUntil(seconds: number, of = realm): Promise<void> {
  world.clockOffset = seconds
  // The second run does what the first has made due.
  for (const _ of [1, 2]) await inRealm(of, (object) => object.alarm())
}

describe('a file that is uploaded in chunks', () => {
  it('becomes an ordinary upload with its last byte', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const begun = await beginUpload(ann, 10, { filename: 'Plan für 2027.pdf', filetype: 'application/pdf' })
    const first = await sendChunk(ann, begun, 0, 'hello ')
    expect([first.status, first.body, first.headers.get('upload-offset')]).toEqual([204, undefined, '6'])
    expect(await anns.eventsOf('attachment')).toEqual([])
    const last = await sendChunk(ann, begun, 6, 'plan')
    expect([last.status, last.headers.get('upload-offset')]).toEqual([200, '10'])
    const { url } = last.body
    expect(last.body).toEqual({ result: 'success', msg: '', url, uri: url, filename: 'Plan für 2027.pdf' })
    expect(url).toMatch(
      new RegExp(`^/user_uploads/${realm.id}/[0-9a-f]{2}/[0-9a-f]{32}/Plan-für-2027\\.pdf$`),
    )
    const [event] = await anns.eventsOf('attachment')
    const pathId = url.replace('/user_uploads/', '')
    expect(event).toMatchObject({
      op: 'add',
      attachment: { name: 'Plan für 2027.pdf', path_id: pathId, size: 10 },
    })
    expect(await bens.eventsOf('attachment')).toEqual([])
    const file = await fetchPath(realm, url, ann)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; .*Plan%20f%C3%BCr%202027\.pdf$/)
    expect(await file.text()).toBe('hello plan')
    expect(await readStatus(realm, url, ben)).toBe(403)
    const message = { type: 'direct', to: [ben.id], content: `[plan](${url})` }
    expectSuccess(await ann.api.post('/messages', message))
    expect(await readStatus(realm, url, ben)).toBe(200)
  })

  it('has an offset, an expiry and metadata', async () => {
    const said = metadata({ filename: 'a.txt', private: '', filetype: 'text/plain' })
    const headers = { 'Upload-Length': '5', 'Upload-Metadata': said }
    const created = await askTus(ann, 'POST', '/api/v1/tus', { headers })
    expect([created.status, created.headers.get('upload-offset')]).toEqual([201, '0'])
    const expires = created.headers.get('upload-expires')!
    expect(Math.abs(Date.parse(expires) - Date.now() - DAY * 1_000)).toBeLessThan(60_000)
    const begun = created.headers.get('location')!
    const sent = await sendChunk(ann, begun, 0, 'abc')
    expect(sent.headers.get('upload-expires')).toBe(expires)
    const head = await askTus(ann, 'HEAD', begun)
    expect([head.status, head.body]).toEqual([200, undefined])
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '3',
      'upload-length': '5',
      'upload-metadata': said,
      'upload-expires': expires,
      'cache-control': expect.stringContaining('no-store'),
    })
    const asked = await ann.api.request(
      'GET',
      begun.replace('/api/v1', ''),
      {},
      { headers: { 'Tus-Resumable': '1.0.0' } },
    )
    expect(expectSuccess(asked)).toMatchObject({ upload_offset: 3, upload_length: 5 })
  })

  it('may come with its announcement, in part or whole', async () => {
    const announce = (length: number, body: string, headers = {}) =>
      askTus(ann, 'POST', '/api/v1/tus/', {
        headers: { 'Upload-Length': String(length), ...CHUNK, ...headers },
        body,
      })
    const part = await announce(6, 'abc')
    expect([part.status, part.body, part.headers.get('upload-offset')]).toEqual([201, undefined, '3'])
    const rest = await sendChunk(ann, part.headers.get('location')!, 3, 'def')
    expect(await contentOf(rest.body.url)).toEqual(new TextEncoder().encode('abcdef'))
    const whole = await announce(3, 'xyz')
    expect([whole.status, whole.headers.get('upload-offset')]).toEqual([201, '3'])
    expect(whole.body).toMatchObject({ result: 'success', filename: 'uploaded-file' })
    expect(await contentOf(whole.body.url)).toEqual(new TextEncoder().encode('xyz'))
    const empty = await askTus(ann, 'POST', '/api/v1/tus/', { headers: { 'Upload-Length': '0' } })
    expect(await contentOf(empty.body.url)).toHaveLength(0)
    // A body of another type is not a chunk.
    const form = await announce(3, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([form.status, form.headers.get('upload-offset')]).toEqual([201, '0'])
  })

  it('is stored in few parts, however short its chunks are', async () => {
    const all = bytes(300)
    const begun = await beginUpload(ann, all.length)
    await removeUntil(1)
    const before = await storedObjects()
    for (let at = 0; at < 290; at += 10) await sendChunk(ann, begun, at, all.subarray(at, at + 10))
    await removeUntil(2)
    expect(await storedObjects()).toBe(before + 1)
    const { body } = await sendChunk(ann, begun, 290, all.subarray(290))
    expectSame(await contentOf(body.url), all)
  })

  it('is recognized as an image by its bytes', async () => {
    const png = Uint8Array.from(
      atob(
        'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
      ),
      (char) => char.charCodeAt(0),
    )
    const begun = await beginUpload(ann, png.length, { filename: 'dot', filetype: 'image/png' })
    await sendChunk(ann, begun, 0, png.subarray(0, 20))
    await sendChunk(ann, begun, 20, png.subarray(20))
    const posted = await upload(ann, { name: 'dot', type: 'image/png', content: png })
    const images = await inRealm(realm, (object) =>
      object.parts.sql.all(
        `SELECT image_type, image_width, image_height FROM attachment ORDER BY id DESC LIMIT 2`,
      ),
    )
    expect(posted).toContain('dot')
    expect(images[0]).toEqual({ image_type: 'png', image_width: 2, image_height: 3 })
    expect(images[1]).toEqual(images[0])
  })
})

describe('when the connection breaks', () => {
  it('what arrived is kept, and the rest is sent from there', async () => {
    const all = bytes(9 * MIB)
    const begun = await beginUpload(ann, all.length)
    await sendChunk(ann, begun, 0, breakingOff(all.subarray(0, 5 * MIB), all.subarray(5 * MIB, 8 * MIB + 7)))
    expect(await offsetOf(ann, begun)).toBe(8 * MIB + 7)
    const { status, body } = await sendChunk(ann, begun, 8 * MIB + 7, all.subarray(8 * MIB + 7))
    expect(status).toBe(200)
    expectSame(await contentOf(body.url), all)
  })

  it('the last answer can be fetched again while the upload’s record exists', async () => {
    const begun = await beginUpload(ann, 3)
    const { body } = await sendChunk(ann, begun, 0, 'abc')
    expect(await offsetOf(ann, begun)).toBe(3)
    const again = await sendChunk(ann, begun, 3, '')
    expect([again.status, again.body]).toEqual([200, body])
    expect((await askTus(ann, 'HEAD', begun)).headers.has('upload-expires')).toBe(false)
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    const mine = attachments.filter(({ path_id }: { path_id: string }) => body.url.endsWith(path_id))
    expect(mine).toHaveLength(1)
    expectSuccess(await ann.api.delete(`/attachments/${mine[0].id}`))
    expect(await offsetOf(ann, begun)).toBe('status 404')
  })
})

function crash(): void {
  world.crashAt = 'decided'
}

describe('when something fails on our side', () => {
  beforeEach(() => {
    // The failures make the server log errors.
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  it.each([
    ['decides', crash, 'abc', 0],
    ['has decided', loseAnswer, 'abc', 3],
    ['decides', crash, 'abcdef', 0],
    ['has decided', loseAnswer, 'abcdef', 6],
  ] as const)(
    'when the realm object %s: no byte is lost, and none counts twice (%#)',
    async (_when, fail, chunk, kept) => {
      const { realm: other, user } = await buildRealm({ user: 'member' })
      const events = await openQueue(user)
      const begun = await beginUpload(user, 6)
      expect((await sendChunk(user, begun, 0, bodyAfter(fail, chunk))).status).toBe(503)
      expect(await offsetOf(user, begun)).toBe(kept)
      const { body } = await sendChunk(user, begun, kept, 'abcdef'.slice(kept))
      expect(new TextDecoder().decode(await contentOf(body.url, user, other))).toBe('abcdef')
      expect(await events.eventsOf('attachment')).toHaveLength(1)
      await removeUntil(2 * DAY, other)
      expect(await storedObjects(other)).toBe(1)
    },
  )

  it('while the store does not answer, the client is to try again', async () => {
    const begun = await beginUpload(ann, 6)
    const breaks = () => {
      world.storeIsDown = true
    }
    for (const chunk of ['abc', 'abcdef']) {
      const { status, headers } = await sendChunk(ann, begun, 0, bodyAfter(breaks, chunk))
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      world.storeIsDown = false
    }
    expect(await offsetOf(ann, begun)).toBe(0)
    expect((await sendChunk(ann, begun, 0, 'abcdef')).status).toBe(200)
  })
})

describe('of two concurrent requests', () => {
  it('with the same offset one succeeds and the other is refused', async () => {
    for (const [length, expected] of [
      [8, [204, 409]],
      [4, [200, 409]],
    ] as const) {
      const begun = await beginUpload(ann, length)
      const answers = await Promise.all(['aaaa', 'bbbb'].map((text) => sendChunk(ann, begun, 0, text)))
      expect(answers.map(({ status }) => status).sort()).toEqual(expected)
      expect(await offsetOf(ann, begun)).toBe(4)
      const [winner] = answers.filter(({ status }) => status !== 409)
      const last = length === 4 ? winner! : await sendChunk(ann, begun, 4, 'cccc')
      const text = new TextDecoder().decode(await contentOf(last.body.url))
      expect(text).toMatch(length === 4 ? /^(a{4}|b{4})$/ : /^(a{4}|b{4})c{4}$/)
      expect(text[0]).toBe(answers[0]!.status === 409 ? 'b' : 'a')
    }
  })

  it('one that deletes the upload leaves nothing of the other', async () => {
    const { realm: other, user } = await buildRealm({ user: 'member' })
    const begun = await beginUpload(user, 100)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await held
        controller.enqueue(bytes(50))
        controller.close()
      },
    })
    const sending = sendChunk(user, begun, 0, slow)
    expect((await askTus(user, 'DELETE', begun)).status).toBe(204)
    release()
    expect((await sending).status).toBe(404)
    expect(await storedObjects(other)).toBe(0)
  })
})

describe('of an upload that is', () => {
  const { realm: other, user } = useRealm({ user: 'member' })

  it('deleted nothing is left; the file of a complete one stays', async () => {
    const begun = await beginUpload(user, 9 * MIB)
    await sendChunk(user, begun, 0, bytes(8 * MIB + 1))
    expect((await askTus(user, 'DELETE', begun)).status).toBe(204)
    expect(await offsetOf(user, begun)).toBe('status 404')
    expect((await askTus(user, 'DELETE', begun)).status).toBe(404)
    await removeUntil(2, other)
    expect(await storedObjects(other)).toBe(0)
    const complete = await beginUpload(user, 3)
    const { body } = await sendChunk(user, complete, 0, 'abc')
    expect((await askTus(user, 'DELETE', complete)).status).toBe(204)
    expect(await offsetOf(user, complete)).toBe('status 404')
    expect(await readStatus(other, body.url, user)).toBe(200)
  })

  it('complete only its file is left', async () => {
    const before = await storedObjects(other)
    const begun = await beginUpload(user, 9 * MIB)
    await sendChunk(user, begun, 0, bytes(8 * MIB + 1))
    await sendChunk(user, begun, 8 * MIB + 1, bytes(MIB - 1))
    await removeUntil(2, other)
    expect(await storedObjects(other)).toBe(before + 1)
  })

  it('incomplete after a day nothing is left, and its URL is gone', async () => {
    const before = await storedObjects(other)
    const begun = await beginUpload(user, 10)
    await sendChunk(user, begun, 0, 'abc')
    await removeUntil(DAY - 60, other)
    expect(await offsetOf(user, begun)).toBe(3)
    world.clockOffset = DAY + 1
    expect(await offsetOf(user, begun)).toBe('status 404')
    expect((await sendChunk(user, begun, 3, 'def')).status).toBe(404)
    await removeUntil(DAY + 2, other)
    expect(await storedObjects(other)).toBe(before)
    const rows = await inRealm(other, ({ parts: { sql } }) =>
      ['resumable_upload', 'resumable_upload_chunk', 'file_removal'].map((table) =>
        sql.first<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`),
      ),
    )
    expect(rows).toEqual([{ count: 0 }, { count: 0 }, { count: 0 }])
  })
})
