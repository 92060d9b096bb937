import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, readStatus, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, cleo, guest } = useRealm({
  ann: 'member',
  ben: 'member',
  cleo: 'member',
  guest: 'guest',
})
/** Another organization. */
const { realm: other } = useRealm()

async function sendTo(from: TestUser, channel: { name: string }, content: string): Promise<number> {
  const message = { type: 'channel', to: channel.name, topic: 'files', content }
  return expectSuccess(await from.api.post('/messages', message)).id
}

async function sendDirect(from: TestUser, to: TestUser, content: string): Promise<number> {
  return expectSuccess(await from.api.post('/messages', { type: 'direct', to: [to.id], content })).id
}

/** Returns the statuses of reading a file as each of these. */
function statuses(path: string, ...users: TestUser[]): Promise<number[]> {
  return Promise.all(users.map((user) => readStatus(realm, path, user)))
}

const NOT_YOURS = '<p>You are not authorized to view this file.</p>'
const NO_FILE = '<p>This file does not exist or has been deleted.</p>'

describe('an upload that no message links to', () => {
  it('is read by its owner alone, not even by the organization’s owner', async () => {
    const path = await upload(ann)
    expect(await statuses(path, ann, ben, realm.owner, guest)).toEqual([200, 403, 403, 403])
    const response = await fetchPath(realm, path, ben)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toBe(NOT_YOURS)
  })

  it('is refused in the language of the browser', async () => {
    const path = await upload(ann)
    const refused = async (language: string, of: string) =>
      (await fetchPath(realm, of, ben, { headers: { 'Accept-Language': language } })).text()
    expect(await refused('de-CH, en;q=0.5', path)).toBe('<p>Du darfst diese Datei nicht sehen.</p>')
    expect(await refused('ar', `${path}x`)).toBe('<p dir="rtl">هذا الملف غير موجود أو حُذف.</p>')
  })

  it('does not become readable by a link from a user who may not read it', async () => {
    const path = await upload(ann)
    await sendDirect(ben, cleo, `[mine](${path})`)
    await sendTo(ben, await buildChannel([ben, cleo]), `[mine](${path})`)
    expect(await statuses(path, ann, ben, cleo)).toEqual([200, 403, 403])
  })
})

describe('an upload that a message links to is read', () => {
  it('in a public channel by all but guests who are not subscribed', async () => {
    const subscribed = await buildUser(realm, { role: 600 })
    const path = await upload(ann)
    await sendTo(ann, await buildChannel([ann, subscribed]), `[notes](${path})`)
    expect(await statuses(path, ann, ben, subscribed, guest)).toEqual([200, 200, 200, 403])
  })

  it('in a private channel by present subscribers, and no former ones', async () => {
    const channel = await buildChannel([ann, ben], { invite_only: true })
    const path = await upload(ann)
    await sendTo(ann, channel, `[notes](${path})`)
    expect(await statuses(path, ann, ben, cleo, realm.owner)).toEqual([200, 200, 403, 403])
    const left = { subscriptions: [channel.name] }
    expectSuccess(await ben.api.delete('/users/me/subscriptions', left))
    expect(await statuses(path, ann, ben)).toEqual([200, 403])
  })

  it('in a channel with protected history not by later subscribers', async () => {
    const settings = { invite_only: true, history_public_to_subscribers: false }
    const channel = await buildChannel([ann, ben], settings)
    const path = await upload(ann)
    await sendTo(ann, channel, `[notes](${path})`)
    const joining = { subscriptions: [{ name: channel.name }], principals: [cleo.id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', joining))
    expect(await statuses(path, ben, cleo)).toEqual([200, 403])
  })

  it('in a direct conversation by its participants', async () => {
    const path = await upload(ann)
    await sendDirect(ann, ben, `look: ${path} [notes](${path})`)
    expect(await statuses(path, ann, ben, cleo, realm.owner)).toEqual([200, 200, 403, 403])
  })

  it('by readers of another message with the link, if its author reads it', async () => {
    const path = await upload(ann)
    await sendDirect(ann, ben, `[notes](${path})`)
    await sendDirect(ben, cleo, `Ann wrote [this](http://${realm.host}${path})`)
    expect(await statuses(path, cleo, guest)).toEqual([200, 403])
  })

  it('by nobody but its owner when the message is gone', async () => {
    const path = await upload(ann)
    const id = await sendTo(ann, await buildChannel([ann, ben]), `[notes](${path})`)
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect(await statuses(path, ann, ben)).toEqual([200, 403])
  })

  it('in the channel that the message moves to', async () => {
    const from = await buildChannel([ann, ben])
    const to = await buildChannel([ann, realm.owner, cleo], { invite_only: true })
    const path = await upload(ann)
    const id = await sendTo(ann, from, `[notes](${path})`)
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { stream_id: to.id }))
    expect(await statuses(path, ann, cleo, ben)).toEqual([200, 200, 403])
  })
})

describe('nobody reads a file', () => {
  it('without credentials, with a wrong key, or with the key of a closed account', async () => {
    const path = await upload(ann)
    await sendTo(ann, await buildChannel([ann]), `[notes](${path})`)
    const response = await fetchPath(realm, path)
    expect([response.status, await response.text()]).toEqual([403, NOT_YOURS])
    expect(await readStatus(realm, path, { ...ben, apiKey: 'x'.repeat(32) })).toBe(401)
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect(await readStatus(realm, path, gone)).toBe(401)
  })

  it('of another organization, at either host', async () => {
    const path = await upload(ann)
    await sendTo(ann, await buildChannel([ann]), `[notes](${path})`)
    expect(await readStatus(other, path, other.owner)).toBe(404)
    expect(await readStatus(realm, path, other.owner)).toBe(401)
    expect(await readStatus({ ...realm, host: 'nowhere.test' }, path, ann)).toBe(404)
  })

  it('by guessing', async () => {
    const path = await upload(ann)
    const [, , , directory, token, name] = path.split('/')
    const guesses = [
      `/user_uploads/${realm.id}/${directory}/${token}/other.txt`,
      `/user_uploads/${realm.id}/${directory}/${'0'.repeat(32)}/${name}`,
      `/user_uploads/${realm.id}/${directory}/${token}`,
      `/user_uploads/${realm.id}/${directory}/%2e%2e/${name}`,
      `/user_uploads/${realm.id + 1}/${directory}/${token}/${name}`,
      `/user_uploads/${realm.id}/${directory}/%zz/${name}`,
      '/user_uploads/',
    ]
    for (const guess of guesses) {
      const response = await fetchPath(realm, guess, ann)
      expect([guess, response.status, await response.text()]).toEqual([guess, 404, NO_FILE])
    }
  })
})

describe('the temporary URL of a file', () => {
  const temporary = async (path: string, user: TestUser): Promise<string> =>
    expectSuccess(await user.api.get(path)).url

  it('is given to its readers, and opens it for anybody for a minute', async () => {
    const path = await upload(ann, { content: 'for a minute' })
    await sendDirect(ann, ben, `[notes](${path})`)
    const url = await temporary(path, ben)
    expect(url).toMatch(/^\/user_uploads\/temporary\/[0-9a-f-]+\/notes\.txt$/)
    const response = await fetchPath(realm, url)
    expect([response.status, await response.text()]).toEqual([200, 'for a minute'])
    world.clockOffset = 50
    expect(await readStatus(realm, url)).toBe(200)
    world.clockOffset = 61
    const late = await fetchPath(realm, url)
    expect([late.status, await late.text()]).toEqual([403, NOT_YOURS])
  })

  it('is given whether the slashes of its path are escaped or not', async () => {
    const path = await upload(ann)
    const [, realmId, rest] = /^\/user_uploads\/(\d+)\/(.+)$/.exec(path)!
    const url = await temporary(`/user_uploads/${realmId}/${encodeURIComponent(rest!)}`, ann)
    expect(await readStatus(realm, url)).toBe(200)
    const elsewhere = `/user_uploads/${realmId}/${encodeURIComponent(`../${realmId}/${rest}`)}`
    expect((await ann.api.get(elsewhere)).status).toBe(404)
  })

  it('is refused to everybody else, in JSON', async () => {
    const path = await upload(ann)
    expectRefusal(await ben.api.get(path), 'You are not authorized to view this file.', { status: 403 })
    expectRefusal(await ann.api.get(`${path}x`), 'This file does not exist or has been deleted.', {
      status: 404,
    })
    expectUnauthorized(await realm.anonymous.get(path))
  })

  it('cannot be made up, changed, or used in another organization', async () => {
    const [mine, bens] = [await upload(ann), await upload(ben)]
    const url = await temporary(mine, ann)
    const [, id, maker, until, signature] = /temporary\/(\d+)-(\d+)-(\d+)-(\w+)\//.exec(url)!
    const othersUrl = await temporary(bens, ben)
    const [, otherId] = /temporary\/(\d+)-/.exec(othersUrl)!
    const forged = [
      `${otherId}-${maker}-${until}-${signature}`,
      `${id}-${ben.id}-${until}-${signature}`,
      `${id}-${maker}-${Number(until) + 1_000}-${signature}`,
      `${id}-${maker}-${until}-${'0'.repeat(64)}`,
      'anything',
    ]
    for (const token of forged) {
      expect(await readStatus(realm, `/user_uploads/temporary/${token}/notes.txt`)).toBe(403)
    }
    expect(await readStatus(other, url)).toBe(403)
  })

  it('ends when its maker’s account is closed, or may not read the file any more', async () => {
    const leaving = await buildUser(realm)
    const channel = await buildChannel([ann, leaving, cleo], { invite_only: true })
    const path = await upload(ann)
    await sendTo(ann, channel, `[notes](${path})`)
    const [ofLeaving, ofCleo] = [await temporary(path, leaving), await temporary(path, cleo)]
    expect([await readStatus(realm, ofLeaving), await readStatus(realm, ofCleo)]).toEqual([200, 200])
    expectSuccess(await realm.owner.api.delete(`/users/${leaving.id}`))
    expectSuccess(await cleo.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    for (const url of [ofLeaving, ofCleo]) {
      const response = await fetchPath(realm, url)
      expect([response.status, await response.text()]).toEqual([403, NOT_YOURS])
    }
  })

  it('is invalid when the file has been deleted', async () => {
    const path = await upload(ann)
    const url = await temporary(path, ann)
    const { attachments } = (await ann.api.get('/attachments')).body
    expectSuccess(await ann.api.delete(`/attachments/${attachments.at(-1).id}`))
    const response = await fetchPath(realm, url)
    expect([response.status, await response.text()]).toEqual([404, NO_FILE])
  })
})

describe('a file is sent', () => {
  async function sent(file: { name: string; type: string; content?: string }, init: RequestInit = {}) {
    return fetchPath(realm, await upload(ann, { content: 'content', ...file }), ann, init)
  }

  it('inline when its type is harmless, with sniffing disabled', async () => {
    const response = await sent({ name: 'Übersicht (1).png', type: 'image/png' })
    expect(await response.text()).toBe('content')
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-disposition')).toBe(
      "inline; filename*=UTF-8''%C3%9Cbersicht%20%281%29.png",
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox']))
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('as a download when it could be active in a browser', async () => {
    const dangerous = [
      { name: 'a.html', type: 'text/html' },
      { name: 'a.svg', type: 'image/svg+xml' },
      { name: 'a.xml', type: 'application/xml' },
      { name: 'a.js', type: 'text/javascript' },
      { name: 'a.pdf', type: 'application/pdf' },
      { name: 'a.png', type: 'image/png, text/html' },
      { name: 'a.html', type: '' },
    ]
    for (const file of dangerous) {
      const response = await sent(file)
      await response.arrayBuffer()
      expect([file.type, response.headers.get('content-type')]).toEqual([
        file.type,
        file.type.startsWith('image/png') ? 'image/png' : 'application/octet-stream',
      ])
      const disposition = file.type.startsWith('image/png') ? /^inline/ : /^attachment/
      expect(response.headers.get('content-disposition')).toMatch(disposition)
    }
  })

  it('with the type of its ending when the uploader gave none', async () => {
    const response = await sent({ name: 'photo.JPG', type: '' })
    await response.arrayBuffer()
    expect(response.headers.get('content-type')).toBe('image/jpeg')
  })

  it('as a download at its download URL', async () => {
    const path = await upload(ann, { name: 'a.png', type: 'image/png' })
    const url = path.replace('/user_uploads/', '/user_uploads/download/')
    const response = await fetchPath(realm, url, ann)
    await response.arrayBuffer()
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(await readStatus(realm, url, ben)).toBe(403)
  })

  it('in chunks', async () => {
    const path = await upload(ann, { content: '0123456789' })
    const chunk = async (range: string, headers: Record<string, string> = {}) => {
      const response = await fetchPath(realm, path, ann, { headers: { Range: range, ...headers } })
      return [response.status, response.headers.get('content-range'), await response.text()]
    }
    expect(await chunk('bytes=0-3')).toEqual([206, 'bytes 0-3/10', '0123'])
    expect(await chunk('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await chunk('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await chunk('bytes=5-99')).toEqual([206, 'bytes 5-9/10', '56789'])
    expect(await chunk('bytes=10-')).toEqual([416, 'bytes */10', ''])
    expect(await chunk('bytes=0-1,4-5')).toEqual([200, null, '0123456789'])
    expect(await chunk('bytes=3-1')).toEqual([200, null, '0123456789'])
    expect(await chunk('bytes=0-3', { 'If-Range': '"another"' })).toEqual([200, null, '0123456789'])
  })

  it('not again to a browser that has it, after checking access again', async () => {
    const channel = await buildChannel([ann, ben], { invite_only: true })
    const path = await upload(ann)
    await sendTo(ann, channel, `[notes](${path})`)
    const first = await fetchPath(realm, path, ben)
    await first.arrayBuffer()
    const headers = { 'If-None-Match': first.headers.get('etag')! }
    expect((await fetchPath(realm, path, ben, { headers })).status).toBe(304)
    const left = { subscriptions: [channel.name] }
    expectSuccess(await ben.api.delete('/users/me/subscriptions', left))
    const response = await fetchPath(realm, path, ben, { headers })
    expect([response.status, await response.text()]).toEqual([403, NOT_YOURS])
  })

  it('as its headers alone to HEAD, and not at all to other methods', async () => {
    const path = await upload(ann, { content: '0123456789' })
    const head = await fetchPath(realm, path, ann, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
    expect((await fetchPath(realm, path, ann, { method: 'DELETE' })).status).toBe(405)
  })

  it('only while the store has it', async () => {
    const path = await upload(ann)
    await env.UPLOADS.delete(`user_uploads/${path.split('/').slice(2, 5).join('/')}`)
    const response = await fetchPath(realm, path, ann)
    expect([response.status, await response.text()]).toEqual([404, NO_FILE])
  })
})
