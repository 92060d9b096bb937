import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import {
  type Answer,
  answering,
  begin,
  contentOf,
  described,
  embedOf,
  linked,
  page,
  ROCK,
  redirectTo,
  shown,
  standInForTheWeb,
  work,
} from '../../support/web.ts'
import { world } from '../../support/world.ts'

const { realm, writer, reader, channel } = useRealm(
  { writer: 'member', reader: 'member' },
  { channels: { channel: ['writer', 'reader'] }, settings: { inline_url_embed_preview: true } },
)
const web = standInForTheWeb()

// Work under way ends with the object, so only tests about evictions evict it.
neverEvict()

const manyTags = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`tag:${number}`, 'x']))

describe('a website without a usable preview', () => {
  it.each<[string, Answer]>([
    ['because it has no picture', page({ 'og:title': 'The Rock' })],
    ['because its picture is a script', page({ ...ROCK, 'og:image': 'javascript:alert(1)' })],
    ['because its picture is data', page({ ...ROCK, 'og:image': 'data:image/png;base64,AAAA' })],
    [
      'because its picture is in a private network',
      page({ ...ROCK, 'og:image': 'http://192.168.0.1/a.png' }),
    ],
    ['because its picture comes after hundreds of other tags', page({ ...manyTags(499), ...ROCK })],
    ['because it is no page', page(ROCK, '', 'application/xhtml+xml')],
    ['because it is an image', page(ROCK, '', 'image/png')],
    ['because it does not say what it is', () => new Response(new Uint8Array(10))],
    ['because it is out of order', answering(500)],
    ['because it is not there', answering(404)],
    ['because it cannot be reached', () => Promise.reject(new TypeError('connection refused'))],
    ['because it redirects to nowhere', () => new Response('', { status: 302 })],
    ['because it redirects to a private network', redirectTo('http://169.254.169.254/latest/meta-data')],
    ['because it redirects to this machine', redirectTo('http://[::1]:80/')],
    ['because it redirects to another scheme', redirectTo('ftp://example.com/')],
    ['because it redirects with a password', redirectTo('https://user:secret@example.com/')],
    ['because it redirects for ever', redirectTo('?again')],
  ])('is only linked, %s', async (_why, answer) => {
    web.pages = { [web.site]: answer, [`${web.site}?again`]: redirectTo('?again') }
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(web.asked.filter((address) => !address.startsWith(web.site))).toEqual([])
    expect(web.asked.length).toBeLessThanOrEqual(4)
    expect(await contentOf(reader, id)).toBe(linked(web.site))
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message'])
    // The server does not ask the site again for an hour.
    const before = web.asked.length
    await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(web.asked).toHaveLength(before)
    web.pages = { [web.site]: page() }
    const later = await sendTo(writer, channel.id, 'films', `again ${web.site}`)
    await work(realm, 3_700)
    expect(await contentOf(reader, later)).not.toContain('message_embed')
    const last = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(await contentOf(reader, last)).toBe(shown(web.site))
  })

  it.each([
    'http://127.0.0.1/',
    'http://10.0.0.1:8080/',
    'http://169.254.169.254/latest/meta-data',
    'https://router.lan/',
    'https://example.com:22/',
    'https://user:secret@example.com/',
  ])('is never fetched from a private network: %s', async (address) => {
    const id = await sendTo(writer, channel.id, 'films', `[a](${address})`)
    await work(realm)
    expect(web.asked).toEqual([])
    expect(await contentOf(reader, id)).toBe(`<p><a href="${address}">a</a></p>`)
  })

  it('is waited for only up to the time limit', async () => {
    const { setTimeout } = globalThis
    // The delay is what is left of the time limit, so the test compares it with a little less than the limit.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, delay = 0) =>
      setTimeout(act, delay > 4_000 && delay <= 5_000 ? 20 : delay)) as typeof setTimeout)
    web.pages[web.site] = () => new Promise(() => {})
    web.pages[`${web.site}slow`] = () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
        headers: { 'Content-Type': 'text/html' },
      })
    const id = await sendTo(writer, channel.id, 'films', `${web.site} ${web.site}slow`)
    await work(realm)
    expect(web.asked).toEqual([web.site, `${web.site}slow`])
    expect(await contentOf(reader, id)).not.toContain('message_embed')
  })
})

it('a website’s title and description are shown as text, never as markup', async () => {
  const hostile = '&lt;/title&gt;<script>alert(1)</script>&quot; onclick=&quot;alert(1)'
  web.pages[web.site] = () =>
    new Response(
      `<title>${hostile}</title><meta property=og:image content="https://a.example.com/&quot;); } b { c: url(&quot;//d/">
       <meta property=og:description content="<img src=x onerror=alert(1)>">`,
      { headers: { 'Content-Type': 'text/html' } },
    )
  const id = await sendTo(writer, channel.id, 'films', web.site)
  await work(realm)
  const title = '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;" onclick="alert(1)'
  const texts = `<div class="message_embed_title"><a href="${web.site}" title="${title.replaceAll('"', '&quot;')}">${title}</a></div>${described('&lt;img src=x onerror=alert(1)&gt;')}`
  const picture = 'https://a.example.com/%22);%20%7D%20b%20%7B%20c:%20url(%22//d/'
  expect(await contentOf(reader, id)).toBe(`${linked(web.site)}\n${embedOf(web.site, texts, picture)}`)
})

describe('while a website is being fetched', () => {
  let answer: () => void
  beforeEach(() => {
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    web.pages[web.site] = async () => {
      await answered
      return page()()
    }
  })

  const untilAsked = () => expect.poll(() => web.asked.length).toBeGreaterThan(0)

  it('the organization serves other requests', async () => {
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await begin(realm)
    await untilAsked()
    const other = await sendTo(reader, channel.id, 'films', 'meanwhile')
    expect(await contentOf(writer, other)).toBe('<p>meanwhile</p>')
    answer()
    await work(realm)
    expect(await contentOf(reader, id)).toBe(shown(web.site))
  })

  it('an edit of the message is not undone', async () => {
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await begin(realm)
    await untilAsked()
    expectSuccess(await writer.api.patch(`/messages/${id}`, { content: 'no link' }))
    answer()
    await work(realm)
    expect(await contentOf(reader, id)).toBe('<p>no link</p>')
    expect(await queue.events()).toMatchObject([
      { type: 'message' },
      { type: 'update_message', rendering_only: false, rendered_content: '<p>no link</p>' },
    ])
  })

  it('an edit that keeps the link gets the preview when it is ready', async () => {
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await begin(realm)
    await untilAsked()
    expectSuccess(await writer.api.patch(`/messages/${id}`, { content: `better: ${web.site}` }))
    answer()
    await work(realm)
    await work(realm)
    const html = shown(web.site).replace('<p>', '<p>better: ')
    expect(await contentOf(reader, id)).toBe(html)
    expect(await queue.events()).toMatchObject([
      { type: 'message' },
      { type: 'update_message', rendering_only: false },
      { type: 'update_message', rendering_only: true, rendered_content: html },
    ])
    const { message } = expectSuccess(await writer.api.get(`/messages/${id}`))
    expect(message.edit_history).toMatchObject([{ prev_content: web.site }])
    expect(message.edit_history).toHaveLength(1)
  })

  it('a deletion of the message is not undone', async () => {
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await begin(realm)
    await untilAsked()
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    answer()
    await work(realm)
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message', 'delete_message'])
    expect((await reader.api.get(`/messages/${id}`)).status).toBe(400)
    await expect.poll(() => projected(id)).toBeNull()
  })

  it('an object that dies fetches it again', async () => {
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await begin(realm)
    await untilAsked()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.crashAt = 'committed'
    await reader.api.post('/messages', { type: 'direct', to: [reader.id], content: 'the last' })
    web.pages[web.site] = page()
    await work(realm, 70)
    expect(await contentOf(reader, id)).toBe(shown(web.site))
    expect(web.asked).toEqual([web.site, web.site])
  })
})

it('a website preview is made later when the object died before fetching it', async () => {
  const id = await sendTo(writer, channel.id, 'films', web.site)
  await evictRealm(realm.id)
  await work(realm)
  expect(await contentOf(reader, id)).toBe(shown(web.site))
})

async function projected(id: number) {
  return env.DB.prepare(
    'SELECT content, rendered_content FROM message_body WHERE realm_id = ? AND message_id = ?',
  )
    .bind(realm.id, id)
    .first()
}
