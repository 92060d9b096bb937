import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, realmStub } from '../../support/api.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { buildBot, inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { stayAwake } from '../../support/stay-awake.ts'
import { world } from '../../support/world.ts'

type Answer = () => Response | Promise<Response>

let realm: TestRealm
let writer: TestUser
let reader: TestUser
let stranger: TestUser
let channel: { id: number; name: string }
/** What the web's servers answer, by address; others do not exist. */
let web: Record<string, Answer>
let asked: string[]
/** What a test sends is of another site each time: the organization remembers what it has seen. */
let site: string
let sites = 0

// What is under way ends with the object: tests about that evict it themselves.
stayAwake()
beforeAll(async () => {
  realm = await buildRealm()
  writer = await buildUser(realm)
  reader = await buildUser(realm)
  stranger = await buildUser(realm)
  channel = await buildChannel([writer, reader])
  expectSuccess(await realm.owner.api.patch('/realm', { inline_url_embed_preview: true }))
})

beforeEach(() => {
  // An hour ahead of the platform's clock, so that its alarm goes off only when a test says so.
  world.clockOffset = 3_600
  sites += 1
  site = `https://site${sites}.example.com/`
  web = { [site]: page() }
  asked = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    asked.push(String(url))
    const answer = web[String(url)]
    if (!answer) throw new TypeError('no such host')
    return answer()
  })
})
afterEach(() => vi.restoreAllMocks())

const ROCK = {
  'og:title': 'The Rock',
  'og:description': 'A film.',
  'og:image': 'https://img.example.com/rock.jpg',
}

const answering =
  (status: number): Answer =>
  () =>
    new Response((page()() as Response).body, { status, headers: { 'Content-Type': 'text/html' } })

function page(meta: Record<string, string> = ROCK, title = 'Fallback', contentType = 'text/html'): Answer {
  const tags = Object.entries(meta).map(([name, content]) => `<meta property="${name}" content="${content}">`)
  const html = `<!doctype html><html><head><title>${title}</title>${tags.join('')}</head><body>x</body></html>`
  return () => new Response(html, { headers: { 'Content-Type': contentType } })
}

const redirectTo =
  (location: string, status = 302): Answer =>
  () =>
    new Response('', { status, headers: { Location: location } })

const linked = (href: string) => `<p><a href="${href}">${href}</a></p>`
const embedOf = (href: string, texts: string, picture = 'https://img.example.com/rock.jpg') =>
  `<div class="message_embed"><a class="message_embed_image" href="${href}" style="background-image: url(&quot;${picture}&quot;)"></a><div class="data-container">${texts}</div></div>`
const titled = (href: string, title: string) =>
  `<div class="message_embed_title"><a href="${href}" title="${title}">${title}</a></div>`
const described = (text: string) => `<div class="message_embed_description">${text}</div>`
const shown = (href: string) =>
  `${linked(href)}\n${embedOf(href, titled(href, 'The Rock') + described('A film.'))}`

/** Lets everything happen that is due `seconds` from now, and ends when it has ended. */
async function work(seconds = 1): Promise<void> {
  await begin(seconds)
  await inRealm(realm, async ({ parts }) => {
    while (!parts.previews.isIdle) await scheduler.wait(1)
  })
}

async function begin(seconds = 1): Promise<void> {
  world.clockOffset += seconds
  await runDurableObjectAlarm(realmStub(realm.id))
}

async function contentOf(id: number, user: TestUser = reader): Promise<string> {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message.content
}

describe('a website that a message links to', () => {
  it('is shown to all who have the message, which is not edited by that', async () => {
    // The first message of a topic has its sender follow it.
    await sendTo(writer, channel.id, 'welcome', 'x')
    const [own, other, foreign] = [
      await openQueue(writer),
      await openQueue(reader),
      await openQueue(stranger),
    ]
    const id = await sendTo(writer, channel.id, 'welcome', site)
    expect(await contentOf(id)).toBe(linked(site))
    expect(asked).toEqual([])
    await work()
    expect(asked).toEqual([site])
    const update = {
      id: expect.any(Number),
      type: 'update_message',
      user_id: null,
      edit_timestamp: expect.any(Number),
      message_id: id,
      message_ids: [id],
      rendering_only: true,
      content: site,
      rendered_content: shown(site),
    }
    const told = { message: { id, content: linked(site) } }
    expect(await own.events()).toEqual([
      expect.objectContaining({ type: 'message' }),
      { ...update, flags: [] },
    ])
    expect(await other.events()).toMatchObject([told, { ...update, flags: [] }])
    expect(await foreign.events()).toEqual([])
    const { message } = expectSuccess(await reader.api.get(`/messages/${id}`))
    expect(message.content).toBe(shown(site))
    expect(message).not.toHaveProperty('edit_history')
    expect(message).not.toHaveProperty('last_edit_timestamp')
    const { messages } = expectSuccess(
      await writer.api.get('/messages', { anchor: id, num_before: 0, num_after: 0, apply_markdown: false }),
    )
    expect(messages).toMatchObject([{ id, content: site }])
    await expect.poll(() => projected(id)).toEqual({ content: site, rendered_content: shown(site) })
  })

  it('is shown in direct messages, and by name', async () => {
    const queue = await openQueue(reader)
    const id = await sendDirect(writer, [reader], `See [the *film*](${site}), ${site}.`)
    await work()
    const [, update] = await queue.events()
    expect(update).toMatchObject({ message_id: id, rendering_only: true, flags: [] })
    expect(update!.rendered_content).toBe(
      `<p>See <a href="${site}">the <em>film</em></a>, <a href="${site}">${site}</a>.</p>\n${shown(site).split('\n')[1]}`,
    )
    expect(await contentOf(id)).toBe(update!.rendered_content)
  })

  it('is looked at once a week, and shown at once in between', async () => {
    await sendTo(writer, channel.id, 'films', site)
    await work()
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', `${site}#scene`)
    await work()
    expect(asked).toEqual([site])
    const [message, ...rest] = await queue.events()
    expect(message!.message.content).toBe(shown(`${site}#scene`))
    expect(rest).toEqual([])
    expect(await contentOf(id)).toBe(shown(`${site}#scene`))
    await work(8 * 86_400)
    expect(await rememberedOf(site)).toBe(0)
    await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(asked).toEqual([site, site])
  })

  it('is asked for without anything that says who asks', async () => {
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    const [, init] = vi.mocked(fetch).mock.calls[0]!
    expect(init).toMatchObject({
      redirect: 'manual',
      headers: { Accept: 'text/html', 'User-Agent': 'ParleyLinkPreview/1.0' },
    })
    expect(Object.keys(init!).sort()).toEqual(['headers', 'redirect', 'signal'])
    expect(await contentOf(id)).toBe(shown(site))
  })

  it('is followed to where it redirects to', async () => {
    web = {
      [site]: redirectTo('/a', 301),
      [`${site}a`]: redirectTo('https://www.example.com/b/', 303),
      'https://www.example.com/b/': page({ ...ROCK, 'og:image': '../rock.png' }),
    }
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(await contentOf(id)).toBe(
      shown(site).replace('img.example.com/rock.jpg', 'www.example.com/rock.png'),
    )
  })

  it('is described by what every page has where it says no more', async () => {
    web[site] = page({ 'og:image': ROCK['og:image'], description: 'Plain &amp; simple.' }, ' A\n page ')
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    const texts = titled(site, 'A page') + described('Plain &amp; simple.')
    expect(await contentOf(id)).toBe(`${linked(site)}\n${embedOf(site, texts)}`)
  })

  it.each([
    ['text/html; charset=windows-1251', '', [0xcc, 0xe8, 0xf0], 'Мир'],
    ['TEXT/HTML', '<meta charset="iso-8859-2">', [0xb1], 'ą'],
    ['text/html; charset=unheard-of', '', [0xc4, 0x85], 'ą'],
  ])('is read in its encoding: %s', async (contentType, declaration, title, read) => {
    const bytes = (text: string) => [...new TextEncoder().encode(text)]
    const html = [
      ...bytes(`${declaration}<title>`),
      ...title,
      ...bytes(`</title><meta property=og:image content="${ROCK['og:image']}">`),
    ]
    web[site] = () => new Response(new Uint8Array(html), { headers: { 'Content-Type': contentType } })
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(await contentOf(id)).toBe(`${linked(site)}\n${embedOf(site, titled(site, read))}`)
  })

  it('is read no further than its beginning', async () => {
    let chunks = 0
    let cancelled = false
    const pull = async (controller: ReadableStreamDefaultController) => {
      chunks += 1
      const begins = chunks === 1 ? await (page()() as Response).bytes() : new Uint8Array(65_536).fill(32)
      controller.enqueue(begins)
    }
    const body = new ReadableStream({
      pull,
      cancel() {
        cancelled = true
      },
    })
    web[site] = () => new Response(body, { headers: { 'Content-Type': 'text/html' } })
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(await contentOf(id)).toBe(shown(site))
    expect(chunks).toBeLessThan(12)
    expect(cancelled).toBe(true)
  })

  it('is looked at for the first five of a message, one after the other', async () => {
    const addresses = [1, 2, 3, 4, 5, 6].map((number) => `${site}${number}`)
    for (const address of addresses) web[address] = page()
    const id = await sendTo(writer, channel.id, 'films', addresses.join(' '))
    await work()
    expect(asked).toEqual(addresses.slice(0, 5))
    expect((await contentOf(id)).match(/class="message_embed"/g)).toHaveLength(5)
  })

  it('is not looked at in quotes, in code, or for a bot', async () => {
    const bot = await buildBot(realm, writer)
    const ids = [
      await sendTo(writer, channel.id, 'films', `> ${site}`),
      await sendTo(writer, channel.id, 'films', `\`${site}\``),
      await sendDirect(bot, [writer], site),
    ]
    await work()
    expect(asked).toEqual([])
    for (const id of ids) expect(await contentOf(id, writer)).not.toContain('message_embed')
  })

  it('is looked at for twenty waiting messages of one user at most', async () => {
    for (let number = 0; number < 22; number += 1) {
      web[`${site}${number}`] = page()
      await sendTo(writer, channel.id, 'many', `${site}${number}`)
    }
    const other = await sendTo(reader, channel.id, 'many', site)
    await work()
    expect(asked).toHaveLength(21)
    expect(await contentOf(other)).toBe(shown(site))
  })
})

describe('a website that has nothing to show', () => {
  it.each<[string, Answer]>([
    ['because it has no picture', page({ 'og:title': 'The Rock' })],
    ['because its picture is a script', page({ ...ROCK, 'og:image': 'javascript:alert(1)' })],
    ['because its picture is data', page({ ...ROCK, 'og:image': 'data:image/png;base64,AAAA' })],
    [
      'because its picture is in a private network',
      page({ ...ROCK, 'og:image': 'http://192.168.0.1/a.png' }),
    ],
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
    web = { [site]: answer, [`${site}?again`]: redirectTo('?again') }
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(asked.filter((address) => !address.startsWith(site))).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(4)
    expect(await contentOf(id)).toBe(linked(site))
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message'])
    // And is left alone for an hour.
    const before = asked.length
    await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(asked).toHaveLength(before)
    web = { [site]: page() }
    const later = await sendTo(writer, channel.id, 'films', `again ${site}`)
    await work(3_700)
    expect(await contentOf(later)).not.toContain('message_embed')
    const last = await sendTo(writer, channel.id, 'films', site)
    await work()
    expect(await contentOf(last)).toBe(shown(site))
  })

  it.each([
    'http://127.0.0.1/',
    'http://10.0.0.1:8080/',
    'http://169.254.169.254/latest/meta-data',
    'https://router.lan/',
    'https://example.com:22/',
    'https://user:secret@example.com/',
  ])('is never asked where only the server can go: %s', async (address) => {
    const id = await sendTo(writer, channel.id, 'films', `[a](${address})`)
    await work()
    expect(asked).toEqual([])
    expect(await contentOf(id)).toBe(`<p><a href="${address}">a</a></p>`)
  })

  it('is waited for so long, and no longer', async () => {
    const { setTimeout } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, delay?: number) =>
      setTimeout(act, delay === 5_000 ? 20 : delay)) as typeof setTimeout)
    web[site] = () => new Promise(() => {})
    web[`${site}slow`] = () =>
      new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
        headers: { 'Content-Type': 'text/html' },
      })
    const id = await sendTo(writer, channel.id, 'films', `${site} ${site}slow`)
    await work()
    expect(asked).toEqual([site, `${site}slow`])
    expect(await contentOf(id)).not.toContain('message_embed')
  })
})

it('what a website says is text', async () => {
  const hostile = '&lt;/title&gt;<script>alert(1)</script>&quot; onclick=&quot;alert(1)'
  web[site] = () =>
    new Response(
      `<title>${hostile}</title><meta property=og:image content="https://a.example.com/&quot;); } b { c: url(&quot;//d/">
       <meta property=og:description content="<img src=x onerror=alert(1)>">`,
      { headers: { 'Content-Type': 'text/html' } },
    )
  const id = await sendTo(writer, channel.id, 'films', site)
  await work()
  const title = '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;" onclick="alert(1)'
  const texts = `<div class="message_embed_title"><a href="${site}" title="${title.replaceAll('"', '&quot;')}">${title}</a></div>${described('&lt;img src=x onerror=alert(1)&gt;')}`
  const picture = 'https://a.example.com/%22);%20%7D%20b%20%7B%20c:%20url(%22//d/'
  expect(await contentOf(id)).toBe(`${linked(site)}\n${embedOf(site, texts, picture)}`)
})

describe('while a website is being looked at', () => {
  let answer: () => void
  beforeEach(() => {
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    web[site] = async () => {
      await answered
      return page()()
    }
  })

  const untilAsked = () => expect.poll(() => asked.length).toBeGreaterThan(0)

  it('the realm goes on', async () => {
    const id = await sendTo(writer, channel.id, 'films', site)
    await begin()
    await untilAsked()
    const other = await sendTo(reader, channel.id, 'films', 'meanwhile')
    expect(await contentOf(other, writer)).toBe('<p>meanwhile</p>')
    answer()
    await work()
    expect(await contentOf(id)).toBe(shown(site))
  })

  it('an edit of the message is not undone', async () => {
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', site)
    await begin()
    await untilAsked()
    expectSuccess(await writer.api.patch(`/messages/${id}`, { content: 'no link' }))
    answer()
    await work()
    expect(await contentOf(id)).toBe('<p>no link</p>')
    expect(await queue.events()).toMatchObject([
      { type: 'message' },
      { type: 'update_message', rendering_only: false, rendered_content: '<p>no link</p>' },
    ])
  })

  it('an edit that keeps the link shows it when it was seen', async () => {
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', site)
    await begin()
    await untilAsked()
    expectSuccess(await writer.api.patch(`/messages/${id}`, { content: `better: ${site}` }))
    answer()
    await work()
    await work()
    const html = shown(site).replace('<p>', '<p>better: ')
    expect(await contentOf(id)).toBe(html)
    expect(await queue.events()).toMatchObject([
      { type: 'message' },
      { type: 'update_message', rendering_only: false },
      { type: 'update_message', rendering_only: true, rendered_content: html },
    ])
    const { message } = expectSuccess(await writer.api.get(`/messages/${id}`))
    expect(message.edit_history).toMatchObject([{ prev_content: site }])
    expect(message.edit_history).toHaveLength(1)
  })

  it('a deletion of the message is not undone', async () => {
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', site)
    await begin()
    await untilAsked()
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    answer()
    await work()
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message', 'delete_message'])
    expect((await reader.api.get(`/messages/${id}`)).status).toBe(400)
    await expect.poll(() => projected(id)).toBeNull()
  })

  it('an object that dies begins again', async () => {
    const id = await sendTo(writer, channel.id, 'films', site)
    await begin()
    await untilAsked()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.crashAt = 'committed'
    await reader.api.post('/messages', { type: 'direct', to: [reader.id], content: 'the last' })
    web[site] = page()
    await work(70)
    expect(await contentOf(id)).toBe(shown(site))
    expect(asked).toEqual([site, site])
  })
})

it('an object that dies between a message and its preview looks at the website later', async () => {
  const id = await sendTo(writer, channel.id, 'films', site)
  await evictRealm(realm.id)
  await work()
  expect(await contentOf(id)).toBe(shown(site))
})

describe('an edit', () => {
  it('keeps, adds and takes off previews', async () => {
    const id = await sendTo(writer, channel.id, 'films', site)
    await work()
    const queue = await openQueue(reader)
    const edit = async (content: string) =>
      expectSuccess(await writer.api.patch(`/messages/${id}`, { content }))
    await edit(`kept ${site}`)
    expect(await contentOf(id)).toBe(shown(site).replace('<p>', '<p>kept '))
    web[`${site}b`] = page()
    await edit(`${site}b`)
    expect(await contentOf(id)).toBe(linked(`${site}b`))
    await work()
    expect(await contentOf(id)).toBe(shown(`${site}b`))
    await edit('gone')
    await work()
    expect(await contentOf(id)).toBe('<p>gone</p>')
    expect(asked).toEqual([site, `${site}b`])
    expect((await queue.events()).map((event) => event.rendering_only)).toEqual([false, false, true, false])
  })
})

describe('without previews', () => {
  const setPreviews = async (on: boolean) =>
    expectSuccess(await realm.owner.api.patch('/realm', { inline_url_embed_preview: on }))

  it('nothing is asked, and messages stay as they are', async () => {
    const [before, pending] = [`${site}before`, `${site}pending`]
    web[before] = page()
    const seen = await sendTo(writer, channel.id, 'films', before)
    await work()
    const waiting = await sendTo(writer, channel.id, 'films', pending)
    await setPreviews(false)
    const id = await sendTo(writer, channel.id, 'films', `${site} ${before}`)
    const queue = await openQueue(reader)
    await work()
    expect(asked).toEqual([before])
    expect(await contentOf(seen)).toBe(shown(before))
    expect(await contentOf(waiting)).toBe(linked(pending))
    expect(await contentOf(id)).not.toContain('message_embed')
    expect(await queue.events()).toEqual([])
    await setPreviews(true)
  })

  it('a link costs no row, and nor does a text with them', async () => {
    const written = async (content: string) => {
      await sendTo(writer, channel.id, 'rows', 'first')
      const before = await inRealm(realm, ({ parts }) => parts.sql.counts.written)
      await sendTo(writer, channel.id, 'rows', content)
      return (await inRealm(realm, ({ parts }) => parts.sql.counts.written)) - before
    }
    const text = await written('text')
    await setPreviews(false)
    expect(await written(site)).toBe(text)
    expect(await written('text')).toBe(text)
    await setPreviews(true)
    expect(await written(site)).toBeGreaterThan(text)
    await work()
  })

  it('they are off in a new organization, and the server can do them', async () => {
    const { owner } = await buildRealm()
    const { snapshot } = await openQueue(owner, { fetch_event_types: ['realm'] })
    expect(snapshot).toMatchObject({
      realm_inline_url_embed_preview: false,
      server_inline_url_embed_preview: true,
    })
  })
})

async function projected(id: number) {
  return env.DB.prepare(
    'SELECT content, rendered_content FROM message_body WHERE realm_id = ? AND message_id = ?',
  )
    .bind(realm.id, id)
    .first()
}

function rememberedOf(address: string): Promise<number> {
  return inRealm(
    realm,
    ({ parts }) =>
      parts.sql.first<{ count: number }>('SELECT count(*) AS count FROM seen_website WHERE url = ?', address)!
        .count,
  )
}
