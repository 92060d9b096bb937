import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { gifOf } from '../../images/gif-forms.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { readImageFacts } from '../../support/image-facts.ts'
import { MOVING_GIF, NO_IMAGE } from '../../support/images.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { lyingJpegHead, pngOf } from '../../support/pictures.ts'
import { openQueue } from '../../support/queues.ts'
import { HOUR } from '../../support/times.ts'
import { fetchPath, readStatus, type TestFile, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
/** Another organization, and its owner. */
const { realm: other, owner: stranger } = useRealm()

const NO_FILE = '<p>This file does not exist or has been deleted.</p>'

function thumbnailOf(path: string, format = '840x560.webp'): string {
  return `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
}

/** Returns the key of an upload in the store. */
function keyOf(path: string): string {
  return path.split('/').slice(1, 5).join('/')
}

async function bytesAt(path: string, user = ann): Promise<Uint8Array> {
  const response = await fetchPath(realm, path, user)
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

/** Returns the statuses of reading it as each of these. */
function statuses(path: string, ...users: TestUser[]): Promise<number[]> {
  return Promise.all(users.map((user) => readStatus(realm, path, user)))
}

async function storedSizes(path: string): Promise<(number | undefined)[]> {
  const keys = [keyOf(path), `${keyOf(path)}/840x560.webp`, `${keyOf(path)}/300x200.webp`]
  return (await Promise.all(keys.map((key) => env.UPLOADS.head(key)))).map((stored) => stored?.size)
}

describe('a thumbnail', () => {
  it('fits into its format as a WebP, and is never enlarged', async () => {
    const sizeOf = async (path: string) => {
      const { type, width, height } = readImageFacts(await bytesAt(path))!
      return [type, width, height]
    }
    const wide = await upload(ann, pngOf(1_680, 560))
    expect(await sizeOf(thumbnailOf(wide))).toEqual(['webp', 840, 280])
    expect(await sizeOf(thumbnailOf(wide, '300x200.webp'))).toEqual(['webp', 300, 100])
    const small = await upload(ann, pngOf(50, 40))
    expect(await sizeOf(thumbnailOf(small))).toEqual(['webp', 50, 40])
  })

  it('has the formats announced to clients', async () => {
    const { server_thumbnail_formats } = (await openQueue(ann)).snapshot
    expect(server_thumbnail_formats).toEqual([
      { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
      { name: '300x200.webp', max_width: 300, max_height: 200, format: 'webp', animated: false },
    ])
    const path = await upload(ann, pngOf(8, 8))
    for (const { name } of server_thumbnail_formats) {
      expect(await readStatus(realm, thumbnailOf(path, name), ann)).toBe(200)
    }
  })

  it('is sent only to readers of its file, and not again when unchanged', async () => {
    const path = thumbnailOf(await upload(ann, pngOf(8, 8, 'Übersicht.png')))
    const response = await fetchPath(realm, path, ann)
    const { length } = new Uint8Array(await response.arrayBuffer())
    const { headers } = response
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('content-disposition')).toBe("inline; filename*=UTF-8''%C3%9Cbersicht.webp")
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-length')).toBe(String(length))
    const known = { 'If-None-Match': headers.get('etag')! }
    expect((await fetchPath(realm, path, ann, { headers: known })).status).toBe(304)
    expect((await fetchPath(realm, path, ben, { headers: known })).status).toBe(403)
    const head = await fetchPath(realm, path, ann, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(length),
      '',
    ])
    expect((await fetchPath(realm, path, ann, { method: 'DELETE' })).status).toBe(405)
  })

  it('answers HEAD before it has been made', async () => {
    const path = thumbnailOf(await upload(ann, pngOf(8, 8)))
    const head = await fetchPath(realm, path, ann, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'image/webp',
      '',
    ])
    expect(head.headers.get('content-length')).toBe(String((await bytesAt(path)).length))
  })

  it('is made once and stored', async () => {
    const path = await upload(ann, pngOf(900, 10))
    const first = await Promise.all([1, 2, 3, 4].map(() => bytesAt(thumbnailOf(path))))
    for (const bytes of first) expect(bytes).toEqual(first[0])
    await env.UPLOADS.delete(keyOf(path))
    expect(await bytesAt(thumbnailOf(path))).toEqual(first[0])
    // A thumbnail of the other format has no source.
    expect(await readStatus(realm, thumbnailOf(path, '300x200.webp'), ann)).toBe(404)
  })

  it('is a 503 while the store is down', async () => {
    const path = thumbnailOf(await upload(ann, pngOf(8, 8)))
    world.storeIsDown = true
    expect(await readStatus(realm, path, ann)).toBe(503)
    world.storeIsDown = false
    expect(await readStatus(realm, path, ann)).toBe(200)
  })
})

describe('users who may not read a file do not see its thumbnail', () => {
  it('in a private channel: others, guests, former subscribers, deactivated accounts', async () => {
    const [left, closed] = [await buildUser(realm), await buildUser(realm)]
    const channel = await buildChannel([ann, ben, left, closed], { invite_only: true })
    const path = await upload(ann, pngOf(8, 8))
    await sendTo(ann, channel.id, 'pictures', `[a](${path})`)
    expectSuccess(await left.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    for (const thumbnail of [thumbnailOf(path), thumbnailOf(path), thumbnailOf(path, 'unknown')]) {
      const found = thumbnail.endsWith('unknown') ? 404 : 200
      expect(await statuses(thumbnail, left, guest, realm.owner, closed)).toEqual([403, 403, 403, 401])
      expect(await readStatus(realm, thumbnail)).toBe(403)
      expect(await readStatus(realm, thumbnail, { ...ben, apiKey: 'x'.repeat(32) })).toBe(401)
      expect(await statuses(thumbnail, ann, ben)).toEqual([found, found])
    }
  })

  it('in another organization, and by guessing', async () => {
    const path = await upload(ann, pngOf(8, 8))
    expect(await readStatus(realm, thumbnailOf(path), ann)).toBe(200)
    expect(await readStatus(other, thumbnailOf(path), other.owner)).toBe(404)
    expect(await readStatus(realm, thumbnailOf(path), other.owner)).toBe(401)
    const guesses = [
      thumbnailOf(path.replace('picture.png', 'other.png')),
      thumbnailOf(path.replace(/[0-9a-f]{32}/, '0'.repeat(32))),
      thumbnailOf(path, '..'),
      `${thumbnailOf(path)}/840x560.webp`,
    ]
    for (const guess of guesses) expect([guess, await readStatus(realm, guess, ann)]).toEqual([guess, 404])
    expect(await readStatus(realm, `${path}/840x560.webp`, ann)).toBe(404)
  })
})

describe('instead of a thumbnail', () => {
  it('nothing is sent for files that are not images, or were never examined', async () => {
    const before = await upload(ann, pngOf(8, 8))
    const pathId = before.replace('/user_uploads/', '')
    await changeRealm(realm, ({ sql }) =>
      sql.run('UPDATE attachment SET image_type = NULL, image_width = NULL WHERE path = ?', pathId),
    )
    const others: TestFile[] = [{}, NO_IMAGE, { name: 'v.webm', type: 'video/webm' }]
    const paths = [before, ...(await Promise.all(others.map((file) => upload(ann, file))))]
    for (const path of paths) {
      const response = await fetchPath(realm, thumbnailOf(path), ann)
      expect([response.status, await response.text()]).toEqual([404, NO_FILE])
      expect(await readStatus(realm, thumbnailOf(path), ben)).toBe(403)
      expect(await storedSizes(path)).toEqual([expect.any(Number), undefined, undefined])
    }
  })

  it('animated images, and those that cannot be resized, are sent themselves', async () => {
    const broken = lyingJpegHead(4_000, 3_000)
    const cases: [TestFile, string, number | undefined][] = [
      [MOVING_GIF, 'image/gif', undefined],
      [broken, 'image/jpeg', 0],
      // The type that the sender names could do harm in a browser.
      [{ ...broken, type: 'text/html' }, 'image/jpeg', 0],
    ]
    for (const [file, type, stored] of cases) {
      const path = await upload(ann, file)
      for (const _ of ['first', 'again']) {
        const response = await fetchPath(realm, thumbnailOf(path), ann)
        expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(file.content)
        expect((await storedSizes(path))[1]).toBe(stored)
      }
    }
  })
})

describe('the thumbnails of a file', () => {
  const { realm: own } = useRealm()

  it('are removed with it, and so is one being made at that moment', async () => {
    const path = await upload(own.owner, pngOf(8, 8))
    for (const format of ['840x560.webp', '300x200.webp']) {
      expect(await readStatus(own, thumbnailOf(path, format), own.owner)).toBe(200)
    }
    const [size, ...made] = await storedSizes(path)
    expect([size, ...made]).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)])
    const { attachments } = expectSuccess(await own.owner.api.get('/attachments'))
    expectSuccess(await own.owner.api.delete(`/attachments/${attachments[0].id}`))
    expect(await readStatus(own, thumbnailOf(path), own.owner)).toBe(404)
    world.clockOffset = 2
    await inRealm(own, (object) => object.alarm())
    expect(await storedSizes(path)).toEqual([undefined, undefined, undefined])
    await env.UPLOADS.put(`${keyOf(path)}/840x560.webp`, 'late')
    world.clockOffset = HOUR + 2
    await inRealm(own, (object) => object.alarm())
    expect(await storedSizes(path)).toEqual([undefined, undefined, undefined])
    expect(await inRealm(own, ({ parts }) => parts.sql.all('SELECT * FROM file_removal'))).toEqual([])
  })
})

describe('a message shows an uploaded picture', () => {
  const shown = (path: string, size: string, type = 'image/png') =>
    `<div class="message_inline_image"><a href="${path}" title="a"><img data-original-content-type="${type}" data-original-dimensions="${size}" src="${thumbnailOf(path)}"></a></div>`
  const asItIs = (path: string) =>
    `<div class="message_inline_image"><a href="${path}" title="a"><img src="${path}"></a></div>`
  const linked = (path: string) => `<p><a href="${path}">a</a></p>\n`

  async function contentOf(id: number, reader: TestUser): Promise<string> {
    return expectSuccess(await reader.api.get(`/messages/${id}`)).message.content
  }

  it('as a thumbnail with its display size, to all who read the message', async () => {
    const channel = await buildChannel([ann, ben])
    const queue = await openQueue(ben)
    const [png, jpeg] = [await upload(ann, pngOf(30, 20)), await upload(ann, lyingJpegHead(4_000, 3_000))]
    const id = await sendTo(ann, channel.id, 'pictures', `[a](${png}) [a](${jpeg})`)
    const html = `<p><a href="${png}">a</a> <a href="${jpeg}">a</a></p>\n${shown(png, '30x20')}${shown(jpeg, '3000x4000', 'image/jpeg')}`
    expect(await contentOf(id, ben)).toBe(html)
    expect((await queue.eventsOf('message')).map(({ message }) => message.content)).toEqual([html])
    // The server still treats it as an upload of the message.
    expect(await statuses(png, ben, guest)).toEqual([200, 403])
    expect(await statuses(thumbnailOf(png), ben, guest)).toEqual([200, 403])
  })

  it('in its place in the text, written as ![…](…), if it is uploaded here', async () => {
    const channel = await buildChannel([ann, ben])
    const queues = [await openQueue(ben), await openQueue(ann)]
    const png = await upload(ann, pngOf(30, 20))
    const id = await sendTo(ann, channel.id, 'pictures', `before ![a](${png}) after`)
    const image = `<img alt="a" class="inline-image" data-original-content-type="image/png" data-original-dimensions="30x20" data-original-src="${png}" src="${thumbnailOf(png)}">`
    const html = `<p>before ${image} after</p>`
    expect(await contentOf(id, ben)).toBe(html)
    expect((await queues[0]!.eventsOf('message')).map(({ message }) => message.content)).toEqual([html])
    const [claimed] = await queues[1]!.eventsOf('attachment', 'update')
    expect(claimed!.attachment.messages).toMatchObject([{ id }])
    expect(await statuses(png, ben, guest)).toEqual([200, 403])
    for (const operand of ['image', 'attachment', 'link']) {
      const narrow = [
        { operator: 'has', operand },
        { operator: 'channel', operand: channel.id },
      ]
      const found = expectSuccess(
        await ben.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow }),
      )
      expect(found.messages.map((message: { id: number }) => message.id)).toEqual([id])
    }
    const elsewhere = 'https://example.com/a.png'
    const { rendered } = expectSuccess(
      await ann.api.post('/messages/render', { content: `![a](${elsewhere})` }),
    )
    expect(rendered).toMatch(/^<p><a href="https:\/\/example.com\/a.png">a<\/a><\/p>/)
  })

  it('as a thumbnail if it is a GIF that stands still', async () => {
    const frame = { width: 3, height: 1, codes: [4, 1, 2, 3, 5] }
    const path = await upload(ann, {
      name: 'a.gif',
      content: new Uint8Array(gifOf({ width: 3, height: 1, frames: [frame] })),
    })
    const id = await sendDirect(ann, [ben], `[a](${path})`)
    expect(await contentOf(id, ben)).toBe(linked(path) + shown(path, '3x1', 'image/gif'))
    expect(readImageFacts(await bytesAt(thumbnailOf(path)))).toMatchObject({ type: 'webp', width: 3 })
  })

  it('in an edit, a preview, and a scheduled message', async () => {
    const path = await upload(ann, pngOf(30, 20))
    const content = `[a](${path})`
    const html = linked(path) + shown(path, '30x20')
    expect(expectSuccess(await ann.api.post('/messages/render', { content })).rendered).toBe(html)
    const id = await sendDirect(ann, [ben], 'soon')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content }))
    expect(await contentOf(id, ben)).toBe(html)
    const queue = await openQueue(ann)
    expectSuccess(
      await ann.api.post('/scheduled_messages', {
        type: 'direct',
        to: [ben.id],
        content,
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + HOUR,
      }),
    )
    const [event] = await queue.eventsOf('scheduled_messages')
    expect(event!.scheduled_messages[0].rendered_content).toBe(html)
  })

  it('not at all when its author may not read it', async () => {
    const path = await upload(ann, pngOf(30, 20))
    const content = `[a](${path})`
    const html = linked(path) + asItIs(path)
    expect(expectSuccess(await ben.api.post('/messages/render', { content })).rendered).toBe(html)
    expect(await contentOf(await sendDirect(ben, [ann], content), ben)).toBe(html)
    const rendered = expectSuccess(await stranger.api.post('/messages/render', { content })).rendered
    expect(rendered).toBe(html)
  })

  it('with the original when it is animated, of unknown size, or no image', async () => {
    for (const file of [MOVING_GIF, NO_IMAGE]) {
      const path = await upload(ann, file)
      const html = linked(path) + asItIs(path)
      expect(await contentOf(await sendDirect(ann, [ben], `[a](${path})`), ben)).toBe(html)
    }
  })
})
