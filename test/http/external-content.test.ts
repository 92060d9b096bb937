import { describe, expect, it, vi } from 'vitest'
import { askWorker } from '../support/api.ts'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { pngOf } from '../support/pictures.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { type Answer, contentOf, page, redirectTo, standInForTheWeb, work } from '../support/web.ts'
import { world } from '../support/world.ts'

const { realm, ann, channel } = useRealm(
  { ann: 'member' },
  { channels: { channel: ['ann'] }, settings: { inline_url_embed_preview: true } },
)
const web = standInForTheWeb({})

// The Worker, and not the object, asks the other sites, and the platform keeps the answers.
neverEvict()

/** Addresses that organizations of other test files request at the same time are not counted; these are counted. */
const ELSEWHERE = [
  'https://cdn.example.com/',
  'http://169.254.',
  'http://192.168.',
  'http://localhost',
  'https://ann:',
]
const asked = () =>
  web.asked.filter((address) => [web.site, ...ELSEWHERE].some((ours) => address.startsWith(ours)))

const PNG = pngOf(8, 8).content as Uint8Array<ArrayBuffer>

const picture =
  (body: BodyInit | null = PNG, headers: Record<string, string> = { 'Content-Type': 'image/png' }): Answer =>
  () =>
    new Response(body, { headers })

/** Returns the address from which readers load this picture after a user has sent it. */
async function proxiedUrl(address: string): Promise<string> {
  const html = await contentOf(ann, await sendTo(ann, channel.id, 'pictures', `see ${address}`))
  return /<img src="([^"]*)">/.exec(html)![1]!
}

/** Answers a request for a picture, and returns what a reader gets. Each picture is new, since fetched ones are kept. */
async function answerTo(answer: Answer, name = 'a.png'): Promise<Response> {
  const address = `${web.site}${name}`
  web.pages[address] = answer
  return load(await proxiedUrl(address))
}

/** Reads the whole answer: an answer that is not read to its end is not cached, and its server waits. */
async function load(path: string, init: RequestInit = {}, host = realm.host): Promise<Response> {
  const response = await begin(path, init, host)
  return new Response(response.body && (await response.arrayBuffer()), response)
}

function begin(path: string, init: RequestInit = {}, host = realm.host): Promise<Response> {
  return askWorker(new Request(`http://${host}${path}`, init))
}

describe('an image of another server in a message', () => {
  it('is loaded through this server, and links to its source', async () => {
    const address = `${web.site}a.png`
    const html = await contentOf(ann, await sendTo(ann, channel.id, 'pictures', `[a](${address})`))
    expect(html).toMatch(
      new RegExp(
        `^<p><a href="${address}">a</a></p>\n<div class="message_inline_image"><a href="${address}" title="a"><img src="/external_content/[0-9a-f]{40}/${hexOf(address)}"></a></div>$`,
      ),
    )
    web.pages[address] = picture()
    const response = await load(/src="([^"]*)"/.exec(html)![1]!)
    expect(response.status).toBe(200)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
    expect(asked()).toEqual([address])
  })

  it('is sent to browsers as an image and nothing else', async () => {
    const { headers } = await answerTo(picture())
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  it('is fetched without identifying the reader, and only image bytes are returned', async () => {
    const address = `${web.site}secret.png`
    web.pages[address] = picture(PNG, { 'Content-Type': 'image/png', 'Set-Cookie': 'a=b', 'X-Other': 'c' })
    const { headers } = await load(await proxiedUrl(address), {
      headers: {
        Authorization: 'Basic YTpi',
        Cookie: 'sessionid=1',
        Referer: 'http://chat.example.com/',
        'CF-Connecting-IP': '203.0.113.7',
        'X-Forwarded-For': '203.0.113.7',
      },
    })
    const calls = vi.mocked(fetch).mock.calls.filter(([url]) => url === address)
    expect(calls).toHaveLength(1)
    const [, init] = calls[0]!
    expect(Object.keys(init!).sort()).toEqual(['headers', 'redirect', 'signal'])
    expect(init).toMatchObject({
      redirect: 'manual',
      headers: { Accept: 'image/*, video/*;q=0.5, audio/*;q=0.5', 'User-Agent': 'ParleyPictures/1.0' },
    })
    expect(Object.keys(init!.headers!)).toEqual(['Accept', 'User-Agent'])
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('x-other')).toBeNull()
  })

  it('is cached: the next reader does not cause another fetch', async () => {
    const address = `${web.site}kept.png`
    web.pages[address] = picture()
    const proxied = await proxiedUrl(address)
    await load(proxied)
    await expect.poll(async () => (await load(proxied)).headers.get('cf-cache-status')).toBe('HIT')
    const before = asked().length
    const again = await load(`${proxied}?x=1`)
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(PNG)
    expect(asked()).toHaveLength(before)
  })

  it('answers HEAD without a body', async () => {
    const address = `${web.site}head.png`
    web.pages[address] = picture()
    const response = await load(await proxiedUrl(address), { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(await response.text()).toBe('')
    expect((await load(await proxiedUrl(address), { method: 'POST' })).status).toBe(405)
  })

  it('has its real type, whatever its server says', async () => {
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, ...Array(40).fill(0)])
    const { headers } = await answerTo(picture(jpeg, { 'Content-Type': 'image/png; charset=utf-8' }))
    expect(headers.get('content-type')).toBe('image/jpeg')
  })

  it('is fetched from where its URL redirects to', async () => {
    web.pages['https://cdn.example.com/b.png'] = picture()
    const response = await answerTo(redirectTo('https://cdn.example.com/b.png'))
    expect(response.status).toBe(200)
    expect(asked()).toEqual([`${web.site}a.png`, 'https://cdn.example.com/b.png'])
  })
})

describe('a video of another server in a message', () => {
  const MP4 = new Uint8Array([0, 0, 0, 24, ...new TextEncoder().encode('ftypisom'), 0, 0, 2, 0, 1, 2, 3, 4])
  const WEBM = new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3, 4])

  async function shown(content: Uint8Array<ArrayBuffer>, type: string, name: string): Promise<Response> {
    const address = `${web.site}${name}`
    web.pages[address] = picture(content, { 'Content-Type': type })
    const html = await contentOf(ann, await sendTo(ann, channel.id, 'videos', `see ${address}`))
    return load(/<video [^>]*src="([^"]*)">/.exec(html)![1]!)
  }

  it('is loaded through this server as well, for its first frame', async () => {
    for (const [content, said, name, type] of [
      [MP4, 'video/mp4', 'a.mp4', 'video/mp4'],
      [MP4, 'video/x-m4v; codecs=x', 'b.mp4', 'video/mp4'],
      [WEBM, 'video/webm', 'c.webm', 'video/webm'],
    ] as const) {
      const response = await shown(content, said, name)
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, type])
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(content)
      expect(response.headers.get('content-security-policy')).toContain('sandbox')
    }
  })

  it('must be one by its bytes', async () => {
    const text = new TextEncoder().encode('<script>alert(1)</script> and more of it')
    expect((await shown(text, 'video/mp4', 'd.mp4')).status).toBe(404)
    expect((await shown(MP4, 'text/html', 'e.mp4')).status).toBe(404)
  })
})

describe('a sound of another server that has a player', () => {
  const begins = (...bytes: number[]) => new Uint8Array([...bytes, ...Array(40).fill(1)])
  const letters = (text: string) => [...new TextEncoder().encode(text)]

  async function played(content: Uint8Array<ArrayBuffer>, type: string, name: string): Promise<Response> {
    const address = `${web.site}${name}`
    web.pages[address] = picture(content, { 'Content-Type': type })
    const html = await contentOf(ann, await sendTo(ann, channel.id, 'sounds', `![a](${address})`))
    expect(html).toContain(` data-original-url="${address}" `)
    return load(/<audio [^>]*src="([^"]*)"/.exec(html)![1]!)
  }

  it('comes through this server, with its real type', async () => {
    for (const [content, said, name, type] of [
      [begins(...letters('ID3')), 'audio/mpeg', 'a.mp3', 'audio/mpeg'],
      [begins(0xff, 0xfb), 'audio/mp3; codecs=x', 'b.mp3', 'audio/mpeg'],
      [begins(0xff, 0xf1), 'audio/aacp', 'c.aac', 'audio/aac'],
      [begins(...letters('fLaC')), 'audio/x-flac', 'd.flac', 'audio/flac'],
      [begins(...letters('RIFF1234WAVE')), 'audio/x-wav', 'e.wav', 'audio/wav'],
    ] as const) {
      const response = await played(content, said, name)
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, type])
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(content)
    }
  })

  it('must be one by its bytes', async () => {
    const text = new TextEncoder().encode('<script>alert(1)</script> and more of it')
    expect((await played(text, 'audio/mpeg', 'f.mp3')).status).toBe(404)
    expect((await played(begins(0xff, 0xfb), 'text/html', 'g.mp3')).status).toBe(404)
  })
})

describe('no image is sent when', () => {
  const script = '<script>alert(1)</script>'.padEnd(64)
  it.each<[string, Answer]>([
    ['there is a page', page()],
    ['there is a page that says it is a picture', picture(script)],
    [
      'there is SVG',
      picture(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, { 'Content-Type': 'image/svg+xml' }),
    ],
    [
      'there is SVG that says it is a PNG',
      picture(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
    ],
    ['a picture says that it is a page', picture(PNG, { 'Content-Type': 'text/html' })],
    ['nothing is said of what there is', picture(PNG, {})],
    ['there is nothing', picture(null)],
    [
      'its server refuses',
      () => new Response(PNG, { status: 403, headers: { 'Content-Type': 'image/png' } }),
    ],
    ['it leads into a private network', redirectTo('http://169.254.169.254/latest/meta-data')],
    ['it leads to a local name', redirectTo('http://localhost:8787/a.png')],
    ['it leads to where a name and password are needed', redirectTo('https://ann:secret@example.com/a.png')],
    ['it leads on and on', redirectTo('?')],
    ['it leads nowhere', () => new Response('', { status: 302 })],
    [
      'it says that it has more than 10 MiB',
      picture(PNG, { 'Content-Type': 'image/png', 'Content-Length': '10485761' }),
    ],
  ])('%s', async (_name, answer) => {
    const response = await answerTo(answer)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('<p>There is no picture that could be shown.</p>')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    expect(asked().every((address) => address.startsWith(web.site))).toBe(true)
  })

  it('its server does not answer, until a retry after a while', async () => {
    const proxied = await proxiedUrl(`${web.site}gone.png`)
    expect((await load(proxied)).status).toBe(404)
    await expect.poll(async () => (await load(proxied)).headers.get('cf-cache-status')).toBe('HIT')
  })

  it('its address is in a private network', async () => {
    const response = await load(await proxiedUrl('http://192.168.0.1/a.png'))
    expect(response.status).toBe(404)
    expect(asked()).toEqual([])
  })
})

it('an image that proves larger than 10 MiB is aborted and not cached', async () => {
  const address = `${web.site}endless.png`
  let sent = 0
  web.pages[address] = () => {
    sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? PNG : new Uint8Array(1_000_000))
        sent += 1
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'image/png' } })
  }
  const proxied = await proxiedUrl(address)
  const response = await begin(proxied)
  await expect(response.arrayBuffer()).rejects.toThrow()
  expect(sent).toBeLessThan(16)
  await expect(load(proxied)).rejects.toThrow()
  expect(asked()).toEqual([address, address])
})

it('an image that breaks off is not cached', async () => {
  const address = `${web.site}broken.png`
  const proxied = await proxiedUrl(address)
  const length = { 'Content-Type': 'image/png', 'Content-Length': String(PNG.length + 1) }
  web.pages[address] = picture(PNG, length)
  await expect(load(proxied)).rejects.toThrow()
  web.pages[address] = picture()
  expect(new Uint8Array(await (await load(proxied)).arrayBuffer())).toEqual(PNG)
})

it('an image is not sent if its server exceeds the time limit', async () => {
  const { setTimeout } = globalThis
  // The delay is what is left of the time limit, so the test compares it with a little less than the limit.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, delay = 0) =>
    setTimeout(act, delay > 9_000 ? 20 : delay)) as typeof setTimeout)
  const silent = await answerTo(() => new Promise(() => {}))
  expect(silent.status).toBe(504)
  const dripping = await answerTo(picture(new ReadableStream({ pull: () => new Promise(() => {}) })), 'b.png')
  expect(dripping.status).toBe(504)
})

describe('the URL of an image', () => {
  it('cannot be forged, nor changed to another image', async () => {
    const proxied = await proxiedUrl(`${web.site}a.png`)
    const [, , digest, hex] = proxied.split('/')
    const forged = [
      `/external_content/${digest}/${hexOf(`${web.site}b.png`)}`,
      `/external_content/${digest!.replace(/./, (digit) => (digit === '0' ? '1' : '0'))}/${hex}`,
      `/external_content/${digest!.slice(1)}/${hex}`,
      `/external_content/${digest}/${hex!.slice(1)}`,
      `/external_content/${digest}/`,
      `/external_content/${digest}/zz`,
      `/external_content//${hex}`,
      '/external_content/',
    ]
    for (const path of forged) {
      const response = await load(path)
      expect([path, response.status, await response.text()]).toEqual([path, 403, '<p>Not a valid URL.</p>'])
    }
    expect(asked()).toEqual([])
  })

  it('belongs to one organization: others, and hosts without one, do not know it', async () => {
    const address = `${web.site}a.png`
    web.pages[address] = picture()
    const proxied = await proxiedUrl(address)
    expect((await load(proxied)).status).toBe(200)
    const { realm: other } = await buildRealm()
    expect((await load(proxied, {}, other.host)).status).toBe(403)
    expect((await load(proxied, {}, 'nobody.example.com')).status).toBe(404)
  })

  it('opens nothing once the organization is deactivated', async () => {
    const { realm: closed } = await buildRealm()
    const quiet = await buildChannel([closed.owner])
    const id = await sendTo(closed.owner, quiet.id, 'pictures', `see ${web.site}a.png`)
    const proxied = /<img src="([^"]*)">/.exec(await contentOf(closed.owner, id))![1]!
    expectSuccess(await closed.owner.api.post('/realm/deactivate'))
    expect((await load(proxied, {}, closed.host)).status).toBe(403)
    expect(asked()).toEqual([])
  })
})

describe('loaded through this server', () => {
  const proxied = (address: string) => `/external_content/[0-9a-f]{40}/${hexOf(address)}`

  it('are images of websites and videos, while videos play from their source', async () => {
    const [video, tube] = [`${web.site}v.mp4`, 'https://youtu.be/aqz-KE-bpKQ']
    const id = await sendTo(ann, channel.id, 'pictures', `${video} ${tube} ${web.site}`)
    await work(realm)
    const html = await contentOf(ann, id)
    const still = 'https://i.ytimg.com/vi/aqz-KE-bpKQ/default.jpg'
    expect(html).toMatch(
      new RegExp(
        `<a data-id="aqz-KE-bpKQ" href="${tube}"><img src="${proxied(still)}"></a>`.replaceAll('?', '\\?'),
      ),
    )
    expect(html).toMatch(
      new RegExp(
        `<a href="${video}"><video data-video-original-url="${video}" preload="metadata" src="${proxied(video)}"></video></a>`,
      ),
    )
    expect(html).toMatch(
      new RegExp(
        `href="${web.site}" style="background-image: url\\(&quot;${proxied('https://img.example.com/rock.jpg')}&quot;\\)"`,
      ),
    )
    expect(html.replaceAll(/ (?:href|title|data-video-original-url)="[^"]*"/g, '')).not.toMatch(/"[^"]*\/\//)
  })

  it('are images in drafts and notices too', async () => {
    const { rendered } = expectSuccess(
      await ann.api.post('/messages/render', { content: `see ${web.site}a.png` }),
    )
    expect(rendered).toMatch(new RegExp(`<img src="${proxied(`${web.site}a.png`)}">`))
  })

  it('is nothing from the organization itself', async () => {
    const own = `http://${realm.host}/user_avatars/a.png`
    const { rendered } = expectSuccess(
      await ann.api.post('/messages/render', { content: `see [a](${own}) [b](/b.png)` }),
    )
    expect(rendered).not.toContain('external_content')
    expect(rendered).toContain('<img src="/b.png">')
  })

  it('is no overlong URL, which becomes a link', async () => {
    const address = `${web.site}${'a'.repeat(2_000)}.png`
    const { rendered } = expectSuccess(await ann.api.post('/messages/render', { content: address }))
    expect(rendered).toBe(`<p><a href="${address}">${address}</a></p>`)
  })

  it('is a URL that only looks like a path', async () => {
    const { rendered } = expectSuccess(
      await ann.api.post('/messages/render', { content: '[a](//evil.example.com/a.png)' }),
    )
    expect(rendered).toMatch(new RegExp(`<img src="${proxied(`http://evil.example.com/a.png`)}">`))
  })
})

describe('EXTERNAL_CONTENT=direct', () => {
  it('lets readers load images from their source, in old messages too', async () => {
    const address = `${web.site}a.png`
    const proxied = await proxiedUrl(address)
    world.settings = { EXTERNAL_CONTENT: 'direct' }
    expect(await proxiedUrl(address)).toBe(address)
    const before = await load(proxied)
    expect(before.status).toBe(302)
    expect(before.headers.get('location')).toBe(address)
    expect(before.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await load(proxied.replace(/.$/, '0'))).status).toBe(403)
    expect(asked()).toEqual([])
  })

  it('is the only such value: any other keeps readers’ addresses private', async () => {
    world.settings = { EXTERNAL_CONTENT: 'Direct' }
    expect(await proxiedUrl(`${web.site}a.png`)).toMatch(/^\/external_content\//)
  })
})

describe('what is fetched for readers', () => {
  it('is limited by network, successful or not; cached images are free', async () => {
    world.limited = true
    world.settings = { RATE_LIMIT_PICTURES_BY_IP: '2/60' }
    const address = `${web.site}a.png`
    web.pages[address] = picture()
    const proxied = await proxiedUrl(address)
    const from = (ip: string, path: string) => load(path, { headers: { 'CF-Connecting-IP': ip } })
    expect((await from('198.51.100.1', proxied)).status).toBe(200)
    expect((await from('198.51.100.1', proxied.replace(/.{2}$/, '00'))).status).toBe(403)
    const refused = await from('198.51.100.1', proxied.replace(/.{2}$/, '01'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await from('198.51.100.2', proxied.replace(/.{2}$/, '01'))).status).toBe(403)
    await expect.poll(async () => (await from('198.51.100.1', proxied)).status).toBe(200)
  })

  it('counts for the organization', async () => {
    world.limited = true
    world.settings = { RATE_LIMIT_PICTURES: '1/60' }
    const proxied = await proxiedUrl(`${web.site}a.png`)
    const { realm: other } = await buildRealm()
    const from = (ip: string, host: string) =>
      load(proxied.replace(/.{2}$/, '00'), { headers: { 'CF-Connecting-IP': ip } }, host)
    expect((await from('198.51.100.1', other.host)).status).toBe(403)
    expect((await from('198.51.100.2', other.host)).status).toBe(429)
  })

  it('stops for the day when the organization’s bytes are spent', async () => {
    const { realm: other } = await buildRealm()
    const there = await buildChannel([other.owner])
    const addresses = [`${web.site}a.png`, `${web.site}b.png`, `${web.site}c.png`]
    for (const address of addresses) web.pages[address] = picture()
    const id = await sendTo(other.owner, there.id, 'pictures', addresses.join(' '))
    const [a, b, c] = [...(await contentOf(other.owner, id)).matchAll(/<img src="([^"]*)">/g)].map(
      ([, src]) => src!,
    )
    const fetched = () =>
      changeRealm(other, ({ sql }) =>
        Number(
          sql
            .first<{ value: string }>(`SELECT value FROM meta WHERE key = 'external_content_fetched'`)
            ?.value.split(' ')[1] ?? 0,
        ),
      )
    await load(a!, {}, other.host)
    await expect.poll(fetched).toBe(PNG.length)
    await changeRealm(other, ({ sql }) =>
      sql.run(
        `UPDATE meta SET value = substr(value, 1, instr(value, ' ')) || '20000000000' WHERE key = 'external_content_fetched'`,
      ),
    )
    const refused = await load(b!, {}, other.host)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    world.clockOffset += 86_400
    expect((await load(c!, {}, other.host)).status).toBe(200)
  })
})

function hexOf(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
