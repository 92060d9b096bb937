import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { interceptedCalls } from '../support/public-pages.ts'
import { allowSpectators, openChannel, say, WEB_PUBLIC } from '../support/spectator.ts'
import { fetchPath, upload } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner, ann } = useRealm({ ann: { name: 'Ann & Co' } }, { name: 'Bird <watchers>' })
let open: number
let closed: number

beforeAll(async () => {
  await allowSpectators(realm)
  open = await openChannel(owner, 'open birds')
  closed = (await channelOf(owner, 'closed')).id
})
beforeEach(() => {
  world.settings = WEB_PUBLIC
})

async function channelOf(by: TestUser, name: string): Promise<{ id: number }> {
  expectSuccess(await by.api.post('/users/me/subscriptions', { subscriptions: [{ name }] }))
  return { id: expectSuccess(await by.api.get('/get_stream_id', { stream: name })).stream_id }
}

async function page(path: string, at = realm, init: RequestInit = {}) {
  const response = await fetchPath(at, path, undefined, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const topic = (id: number) => page(`/public/topic/${id}`)

async function expectNothing(path: string, at = realm): Promise<void> {
  const { status, text } = await page(path, at)
  expect([status, text]).toEqual([404, NOTHING])
}
let NOTHING = ''
beforeAll(async () => {
  NOTHING = (await page('/public/topic/777777')).text
  expect(NOTHING).toContain('There is nothing here')
})

describe('pages for readers without an account', () => {
  it('are linked from the log-in page while there is something to read', async () => {
    expect((await page('/login/')).text).toContain('<a href="/public">Read without an account</a>')
    const { realm: closed } = await buildRealm()
    expect((await page('/login/', closed)).text).not.toContain('/public')
    world.settings = {}
    expect((await page('/login/')).text).not.toContain('/public')
  })

  it('list the web-public channels, their topics, and the messages of those', async () => {
    const first = await say(ann, open, 'Great tit', 'I saw **two** :bird:')
    await say(ann, open, 'Great tit', '> quoted\n\nthree now')
    await say(ann, closed, 'Secret owl', 'an owl')
    const list = await page('/public')
    expect(list.status).toBe(200)
    expect(list.text).toContain(`<a href="/public/channel/${open}-open-birds" dir="auto">open birds</a>`)
    expect(list.text).not.toContain('closed')
    const channel = await page(`/public/channel/${open}-open-birds`)
    expect(channel.text).toContain(`<a href="/public/topic/${first}-great-tit" dir="auto">Great tit</a>`)
    expect(channel.text).not.toContain('owl')
    const shown = await page(`/public/topic/${first}-great-tit`)
    expect(shown.text).toContain('<p dir="auto">I saw <strong>two</strong> 🐦</p>')
    expect(shown.text).toContain('three now')
    expect(shown.text).toContain('Ann &#38; Co</h2>')
  })

  it('have metadata for other sites, and link into the app', async () => {
    const id = await say(ann, open, 'Previews', '||spoiler|| A "fine" <text>')
    const { text } = await topic(id)
    const address = `http://${realm.host}/public/topic/${id}-previews`
    expect(text).toContain(`<link rel="canonical" href="${address}">`)
    expect(text).toContain('<meta property="og:title" content="Previews · Bird &#60;watchers&#62;">')
    expect(text).toContain('A &#34;fine&#34; &#60;text&#62;">')
    expect(text).toContain(`<meta property="og:url" content="${address}">`)
    expect(text).toContain(`href="/#narrow/channel/${open}-open-birds/topic/Previews/near/${id}"`)
    expect(text).not.toContain('robots')
  })

  it('have no script and nothing inline, and nothing from elsewhere', async () => {
    const message =
      '<script>alert(1)</script> ![x](https://elsewhere.example/x.png) $$x^2$$ [a](https://a.example) @**Ann & Co** #**closed**'
    const id = await say(ann, open, '<img src=x onerror=alert(1)>', message)
    const { text, headers } = await topic(id)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(text.replaceAll(/"[^"]*"/g, '""')).not.toMatch(
      /<script|<style|<[^>]*\s(?:style|on\w+)=|<iframe|<form/,
    )
    expect([...text.matchAll(/\ssrc="([^"]*)"/g)].every(([, src]) => /^\/(?!\/)/.test(src!))).toBe(true)
    expect(text).toContain('<msup><mi>x</mi><mn>2</mn></msup>')
    expect(text).toContain('<a href="https://a.example" rel="nofollow ugc noopener noreferrer">a</a>')
    expect(text).not.toContain(ann.email)
  })

  it('have spoilers that open, reactions with names, and readable files', async () => {
    const path = await upload(ann, { content: 'seen' })
    const id = await say(ann, open, 'All sorts', `\`\`\`spoiler Who\nThe gardener\n\`\`\`\n[notes](${path})`)
    expectSuccess(await owner.api.post(`/messages/${id}/reactions`, { emoji_name: 'bird' }))
    const { text } = await topic(id)
    expect(text).toContain('<details><summary dir="auto">')
    expect(text).toMatch(/<li title="[^"]+">🐦 1<\/li>/)
    expect(text).toContain(`href="${path}"`)
    expect((await fetchPath(realm, path)).status).toBe(200)
  })

  it('link to the next and previous pages', async () => {
    const ids: number[] = []
    for (let count = 0; count < 51; count += 1) ids.push(await say(owner, open, 'Long', `number ${count}`))
    const first = await topic(ids[0]!)
    expect(first.text).toContain(`<a href="/public/topic/${ids[50]}-long" rel="next">`)
    expect(first.text).not.toContain('number 50')
    const second = await topic(ids[50]!)
    expect(second.text).toContain(`<a href="/public/topic/${ids[0]}-long" rel="prev">`)
    expect(second.text).toContain('number 50')
    expect(second.text).not.toContain('rel="next"')
  })

  it('are in the language of the organization', async () => {
    const { realm: other } = await buildRealm()
    await allowSpectators(other)
    await openChannel(other.owner, 'offen')
    expect((await page('/public', other)).text).toContain('<html lang="en">')
    expectSuccess(await other.owner.api.patch('/realm', { default_language: 'de' }))
    const { text } = await page('/public', other)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain('Kanäle')
  })

  it('are found by the id in their URL, whatever follows', async () => {
    const id = await say(ann, open, 'Addresses', 'x')
    for (const path of [`/public/topic/${id}`, `/public/topic/${id}-whatever`, `/public/topic/${id}/`]) {
      expect((await page(path)).status).toBe(200)
    }
    for (const path of ['/public/topic/x', '/public/channel/1x', '/public/channel/%00', '/public?after=x']) {
      await expectNothing(path)
    }
    await expectNothing(`/public/channel/${open}?before=x`)
    expect((await page('/public', realm, { method: 'HEAD' })).text).toBe('')
  })
})

it('a channel is described in plain words', async () => {
  const id = await openChannel(owner, 'described')
  expectSuccess(await owner.api.patch(`/streams/${id}`, { description: 'Of **tits** & `owls`' }))
  for (const path of ['/public', `/public/channel/${id}-described`]) {
    expect((await page(path)).text).toContain('<p dir="auto">Of tits &#38; owls</p>')
  }
})

describe('a page that is kept', () => {
  it('is served from memory until anything on it changes', async () => {
    const id = await say(ann, open, 'Kept', 'as it was')
    const first = await topic(id)
    const count = interceptedCalls()
    expect((await topic(id)).text).toBe(first.text)
    expect(count()).toBe(1)
    const known = { headers: { 'If-None-Match': first.headers.get('etag')! } }
    expect((await page(`/public/topic/${id}`, realm, known)).status).toBe(304)
    const changes: (() => Promise<unknown>)[] = [
      () => ann.api.patch(`/messages/${id}`, { content: 'as it is' }),
      () => owner.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
      () => say(owner, open, 'Kept', 'an answer'),
      () => owner.api.patch(`/users/${ann.id}`, { full_name: 'Ann Other' }),
      () => owner.api.patch(`/streams/${open}`, { new_name: 'open birds 2' }),
      () => owner.api.patch('/realm', { name: 'Bird people' }),
    ]
    const seen = new Set([first.text])
    for (const change of changes) {
      await change()
      const { text, status } = await page(`/public/topic/${id}`, realm, known)
      expect(status).toBe(200)
      expect(seen.has(text)).toBe(false)
      seen.add(text)
    }
    expect((await topic(id)).text).toContain('as it is')
  })

  it('is refused at once when access is closed, in whichever way', async () => {
    const { realm: other } = await buildRealm()
    await allowSpectators(other)
    const channel = await openChannel(other.owner, 'soon closed')
    await openChannel(other.owner, 'stays')
    const id = await say(other.owner, channel, 'Soon', 'gone')
    const paths = [`/public/channel/${channel}`, `/public/topic/${id}`]
    const isThere = async (path: string) => expect((await page(path, other)).status).toBe(200)
    const closeAndOpen = async (close: () => Promise<unknown>, reopen: () => Promise<unknown>) => {
      for (const path of paths) await isThere(path)
      await close()
      for (const path of paths) await expectNothing(path, other)
      await reopen()
      for (const path of paths) await isThere(path)
    }
    const patch = (changes: Record<string, boolean>) => async () =>
      expectSuccess(await other.owner.api.patch(`/streams/${channel}`, changes))
    await closeAndOpen(patch({ is_web_public: false }), patch({ is_web_public: true }))
    await closeAndOpen(
      patch({ is_web_public: false, is_private: true }),
      patch({ is_web_public: true, is_private: false, history_public_to_subscribers: true }),
    )
    await closeAndOpen(
      () => allowSpectators(other, false),
      () => allowSpectators(other),
    )
    await expectNothing(paths[1]!)
    const target = (await channelOf(other.owner, 'elsewhere')).id
    expectSuccess(await other.owner.api.patch(`/messages/${id}`, { stream_id: target }))
    await expectNothing(paths[1]!, other)
    expectSuccess(await other.owner.api.post('/realm/deactivate', { deletion_delay_days: 30 }))
    await expectNothing('/public', other)
    await expectNothing(paths[0]!, other)
  })

  it('follows its message to another topic and another web-public channel', async () => {
    const id = await say(owner, open, 'Before', 'a wanderer')
    await topic(id)
    const second = await openChannel(owner, 'second')
    expectSuccess(await owner.api.patch(`/messages/${id}`, { stream_id: second, topic: 'After' }))
    const { text } = await topic(id)
    expect(text).toContain(`href="/public/channel/${second}-second"`)
    expect(text).toContain('<h1 dir="auto">After</h1>')
  })
})

describe('what is not web-public', () => {
  it('looks like what does not exist, in every byte', async () => {
    const hidden = await say(ann, closed, 'Secret', 'hidden words')
    const direct = expectSuccess(
      await ann.api.post('/messages', { type: 'direct', to: [owner.id], content: 'hidden words' }),
    ).id
    await expectNothing(`/public/topic/${hidden}`)
    await expectNothing(`/public/topic/${direct}`)
    await expectNothing(`/public/channel/${closed}`)
    await expectNothing('/public/channel/777777')
  })

  it('changes no byte of public pages', async () => {
    const id = await say(ann, open, 'Still', 'the same')
    const all = async () =>
      Promise.all(
        ['/public', `/public/channel/${open}`, `/public/topic/${id}`, '/sitemap.xml', '/robots.txt'].map(
          async (path) => (await page(path)).text,
        ),
      )
    const before = await all()
    await say(ann, closed, 'Noise', 'noise')
    await channelOf(owner, 'more noise')
    expectSuccess(await ann.api.post('/users/me/status', { status_text: 'noise' }))
    expectSuccess(await ann.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    expect(await all()).toEqual(before)
  })

  it('public pages do not exist where the deployment disables them', async () => {
    world.settings = {}
    const nowhere = await page('/nowhere/at/all')
    for (const path of ['/public', `/public/channel/${open}`, '/robots.txt', '/sitemap.xml']) {
      const { status, text } = await page(path)
      expect([status, text]).toEqual([404, nowhere.text])
    }
  })
})

describe('search engines', () => {
  it('get a sitemap of public pages, and of nothing else', async () => {
    const id = await say(ann, open, 'For <engines>', 'x')
    const robots = (await page('/robots.txt')).text
    expect(robots).toContain(`Allow: /public\n`)
    expect(robots).toContain(`Sitemap: http://${realm.host}/sitemap.xml\n`)
    expect(robots.endsWith('Disallow: /\n')).toBe(true)
    const map = await page('/sitemap.xml')
    expect(map.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(map.text).toContain(`<loc>http://${realm.host}/public/topic/${id}-for-engines</loc>`)
    expect(map.text).toContain(`<loc>http://${realm.host}/public/channel/${open}-`)
    expect(map.text).not.toContain('closed')
  })

  it('are excluded if nothing is public', async () => {
    const { realm: other } = await buildRealm()
    expect((await page('/robots.txt', other)).text).toBe('User-agent: *\nDisallow: /\n')
    expect((await page('/sitemap.xml', other)).status).toBe(404)
    await expectNothing('/public', other)
  })
})

it('public pages are limited by network address', async () => {
  world.limited = true
  world.evictable = false
  world.settings = { ...WEB_PUBLIC, RATE_LIMIT_API_BY_IP: '2/60' }
  const init = { headers: { 'cf-connecting-ip': '192.0.2.77' } }
  const asked = async () => page('/public', realm, init)
  expect([(await asked()).status, (await asked()).status]).toEqual([200, 200])
  const refused = await asked()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
