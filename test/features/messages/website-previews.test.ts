import { describe, expect, it, vi } from 'vitest'
import { bodyDatabase } from '../../support/body-database.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { buildBot, inRealm } from '../../support/inside.ts'
import { TRIES } from '../../support/limits.ts'
import { sendDirect, sendTo, untilProjected } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { down } from '../../support/outages.ts'
import { pngOf } from '../../support/pictures.ts'
import { openQueue } from '../../support/queues.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import {
  contentOf,
  described,
  embedOf,
  linked,
  page,
  ROCK,
  redirectTo,
  shown,
  standInForTheWeb,
  titled,
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

describe('a preview of a website that a message links to', () => {
  it('is shown to all who have the message, without counting as an edit', async () => {
    // The sender of a topic's first message follows the topic, which would be an event of its own.
    await sendTo(writer, channel.id, 'welcome', 'x')
    const stranger = await buildUser(realm)
    const [own, other, foreign] = [
      await openQueue(writer),
      await openQueue(reader),
      await openQueue(stranger),
    ]
    const id = await sendTo(writer, channel.id, 'welcome', web.site)
    expect(await contentOf(reader, id)).toBe(linked(web.site))
    expect(web.asked).toEqual([])
    await work(realm)
    expect(web.asked).toEqual([web.site])
    const update = {
      id: expect.any(Number),
      type: 'update_message',
      user_id: null,
      edit_timestamp: expect.any(Number),
      message_id: id,
      message_ids: [id],
      rendering_only: true,
      content: web.site,
      rendered_content: shown(web.site),
    }
    const sent = { message: { id, content: linked(web.site) } }
    expect(await own.events()).toEqual([
      expect.objectContaining({ type: 'message' }),
      { ...update, flags: [] },
    ])
    expect(await other.events()).toMatchObject([sent, { ...update, flags: [] }])
    expect(await foreign.events()).toEqual([])
    const { message } = expectSuccess(await reader.api.get(`/messages/${id}`))
    expect(message.content).toBe(shown(web.site))
    expect(message).not.toHaveProperty('edit_history')
    expect(message).not.toHaveProperty('last_edit_timestamp')
    const { messages } = expectSuccess(
      await writer.api.get('/messages', { anchor: id, num_before: 0, num_after: 0, apply_markdown: false }),
    )
    expect(messages).toMatchObject([{ id, content: web.site }])
    await expect.poll(() => projected(id)).toEqual({ content: web.site, rendered_content: shown(web.site) })
  })

  it('is a dead letter when no try could read the text; a retry shows it', async () => {
    world.d1 = (call) => call()
    const id = await sendTo(writer, channel.id, 'films', web.site)
    // After a failure the projection waits for an alarm, which goes off only when a test says so.
    await inRealm(realm, ({ parts }) => parts.projector.retry())
    await untilProjected(realm, [id])
    world.d1 = down
    for (let tried = 0; tried < TRIES.previews; tried += 1) await work(realm, 120)
    world.d1 = (call) => call()
    const letters = async () => expectSuccess(await realm.owner.api.get('/dead_letters')).dead_letters
    const description = `Previews of the websites in message ${id}`
    expect(await letters()).toMatchObject([{ kind: 'preview', description, attempts: TRIES.previews }])
    await work(realm, 3_600)
    expect(web.asked).toEqual([])
    expectSuccess(await realm.owner.api.post('/dead_letters/retry'))
    await work(realm)
    expect(await contentOf(reader, id)).toBe(shown(web.site))
    expect(await letters()).toEqual([])
  })

  it('is shown in direct messages, and for named links', async () => {
    const queue = await openQueue(reader)
    const id = await sendDirect(writer, [reader], `See [the *film*](${web.site}), ${web.site}.`)
    await work(realm)
    const [, update] = await queue.events()
    expect(update).toMatchObject({ message_id: id, rendering_only: true, flags: [] })
    expect(update!.rendered_content).toBe(
      `<p>See <a href="${web.site}">the <em>film</em></a>, <a href="${web.site}">${web.site}</a>.</p>\n${shown(web.site).split('\n')[1]}`,
    )
    expect(await contentOf(reader, id)).toBe(update!.rendered_content)
  })

  it('is fetched once a week, and shown at once in between', async () => {
    await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    const queue = await openQueue(reader)
    const id = await sendTo(writer, channel.id, 'films', `${web.site}#scene`)
    await work(realm)
    expect(web.asked).toEqual([web.site])
    const [message, ...rest] = await queue.events()
    expect(message!.message.content).toBe(shown(`${web.site}#scene`))
    expect(rest).toEqual([])
    expect(await contentOf(reader, id)).toBe(shown(`${web.site}#scene`))
    await work(realm, 8 * 86_400)
    expect(await rememberedOf(web.site)).toBe(0)
    await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(web.asked).toEqual([web.site, web.site])
  })

  it('is fetched without anything that identifies the user', async () => {
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    const [, init] = vi.mocked(fetch).mock.calls.find(([address]) => address === web.site)!
    expect(init).toMatchObject({
      redirect: 'manual',
      headers: { Accept: 'text/html', 'User-Agent': 'ParleyLinkPreview/1.0' },
    })
    expect(Object.keys(init!).sort()).toEqual(['headers', 'redirect', 'signal'])
    expect(await contentOf(reader, id)).toBe(shown(web.site))
  })

  it('is fetched from the target of the website’s redirect', async () => {
    web.pages = {
      [web.site]: redirectTo('/a', 301),
      [`${web.site}a`]: redirectTo('https://www.example.com/b/', 303),
      'https://www.example.com/b/': page({ ...ROCK, 'og:image': '../rock.png' }),
    }
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(await contentOf(reader, id)).toBe(
      shown(web.site).replace('img.example.com/rock.jpg', 'www.example.com/rock.png'),
    )
  })

  it('falls back to the page’s title and description', async () => {
    web.pages[web.site] = page(
      { 'og:image': ROCK['og:image'], description: 'Plain &amp; simple.' },
      ' A\n page ',
    )
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    const texts = titled(web.site, 'A page') + described('Plain &amp; simple.')
    expect(await contentOf(reader, id)).toBe(`${linked(web.site)}\n${embedOf(web.site, texts)}`)
  })

  it.each([
    ['text/html; charset=windows-1251', '', [0xcc, 0xe8, 0xf0], 'Мир'],
    ['TEXT/HTML', '<meta charset="iso-8859-2">', [0xb1], 'ą'],
    ['text/html; charset=unheard-of', '', [0xc4, 0x85], 'ą'],
  ])('is decoded by the page’s encoding: %s', async (contentType, declaration, title, read) => {
    const bytes = (text: string) => [...new TextEncoder().encode(text)]
    const html = [
      ...bytes(`${declaration}<title>`),
      ...title,
      ...bytes(`</title><meta property=og:image content="${ROCK['og:image']}">`),
    ]
    web.pages[web.site] = () =>
      new Response(new Uint8Array(html), { headers: { 'Content-Type': contentType } })
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(await contentOf(reader, id)).toBe(
      `${linked(web.site)}\n${embedOf(web.site, titled(web.site, read))}`,
    )
  })

  it('needs only the beginning of the page', async () => {
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
    web.pages[web.site] = () => new Response(body, { headers: { 'Content-Type': 'text/html' } })
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    expect(await contentOf(reader, id)).toBe(shown(web.site))
    expect(chunks).toBeLessThan(12)
    expect(cancelled).toBe(true)
  })

  it('is made for the first five links of a message, one after the other', async () => {
    const addresses = [1, 2, 3, 4, 5, 6].map((number) => `${web.site}${number}`)
    for (const address of addresses) web.pages[address] = page()
    const id = await sendTo(writer, channel.id, 'films', addresses.join(' '))
    await work(realm)
    expect(web.asked).toEqual(addresses.slice(0, 5))
    expect((await contentOf(reader, id)).match(/class="message_embed"/g)).toHaveLength(5)
  })

  it('is not made for links in quotes, in code, or by a bot', async () => {
    const bot = await buildBot(realm, writer)
    const ids = [
      await sendTo(writer, channel.id, 'films', `> ${web.site}`),
      await sendTo(writer, channel.id, 'films', `\`${web.site}\``),
      await sendDirect(bot, [writer], web.site),
    ]
    await work(realm)
    expect(web.asked).toEqual([])
    for (const id of ids) expect(await contentOf(writer, id)).not.toContain('message_embed')
  })

  it('is pending for at most twenty messages of one user', async () => {
    for (let number = 0; number < 22; number += 1) {
      web.pages[`${web.site}${number}`] = page()
      await sendTo(writer, channel.id, 'many', `${web.site}${number}`)
    }
    const other = await sendTo(reader, channel.id, 'many', web.site)
    await work(realm)
    expect(web.asked).toHaveLength(21)
    expect(await contentOf(reader, other)).toBe(shown(web.site))
  })
})

it('a website preview does not change the images that the message had', async () => {
  const [own, foreign] = [await upload(writer, pngOf(30, 20)), await upload(realm.owner, pngOf(30, 20))]
  const id = await sendTo(writer, channel.id, 'films', `[a](${own}) [b](${foreign}) ${web.site}`)
  // The writer now has access to this upload, but the readers of the message do not.
  await sendDirect(realm.owner, [writer], `[b](${foreign})`)
  await work(realm)
  const content = await contentOf(reader, id)
  expect(content).toContain('message_embed')
  expect(content.match(/data-original-dimensions="[^"]*" src="[^"]*"/g)).toEqual([
    `data-original-dimensions="30x20" src="${own.replace('uploads/', 'uploads/thumbnail/')}/840x560.webp"`,
  ])
  expect(await readStatus(realm, foreign, reader)).toBe(403)
})

describe('an edit', () => {
  it('keeps, adds and removes previews', async () => {
    const id = await sendTo(writer, channel.id, 'films', web.site)
    await work(realm)
    const queue = await openQueue(reader)
    const edit = async (content: string) =>
      expectSuccess(await writer.api.patch(`/messages/${id}`, { content }))
    await edit(`kept ${web.site}`)
    expect(await contentOf(reader, id)).toBe(shown(web.site).replace('<p>', '<p>kept '))
    web.pages[`${web.site}b`] = page()
    await edit(`${web.site}b`)
    expect(await contentOf(reader, id)).toBe(linked(`${web.site}b`))
    await work(realm)
    expect(await contentOf(reader, id)).toBe(shown(`${web.site}b`))
    await edit('gone')
    await work(realm)
    expect(await contentOf(reader, id)).toBe('<p>gone</p>')
    expect(web.asked).toEqual([web.site, `${web.site}b`])
    expect((await queue.events()).map((event) => event.rendering_only)).toEqual([false, false, true, false])
  })
})

describe('without previews', () => {
  const setPreviews = async (on: boolean) =>
    expectSuccess(await realm.owner.api.patch('/realm', { inline_url_embed_preview: on }))

  it('nothing is fetched, and messages do not change', async () => {
    const [before, pending] = [`${web.site}before`, `${web.site}pending`]
    web.pages[before] = page()
    const seen = await sendTo(writer, channel.id, 'films', before)
    await work(realm)
    const waiting = await sendTo(writer, channel.id, 'films', pending)
    await setPreviews(false)
    const id = await sendTo(writer, channel.id, 'films', `${web.site} ${before}`)
    const queue = await openQueue(reader)
    await work(realm)
    expect(web.asked).toEqual([before])
    expect(await contentOf(reader, seen)).toBe(shown(before))
    expect(await contentOf(reader, waiting)).toBe(linked(pending))
    expect(await contentOf(reader, id)).not.toContain('message_embed')
    expect(await queue.events()).toEqual([])
    await setPreviews(true)
  })

  it('a link costs no extra row, and nor does a text with them on', async () => {
    const written = async (content: string) => {
      await sendTo(writer, channel.id, 'rows', 'first')
      const before = await inRealm(realm, ({ parts }) => parts.sql.counts.written)
      await sendTo(writer, channel.id, 'rows', content)
      return (await inRealm(realm, ({ parts }) => parts.sql.counts.written)) - before
    }
    const text = await written('text')
    await setPreviews(false)
    expect(await written(web.site)).toBe(text)
    expect(await written('text')).toBe(text)
    await setPreviews(true)
    expect(await written(web.site)).toBeGreaterThan(text)
    await work(realm)
  })

  it('a new organization has them off, on a server that offers them', async () => {
    const { owner } = await buildRealm()
    const { snapshot } = await openQueue(owner, { fetch_event_types: ['realm'] })
    expect(snapshot).toMatchObject({
      realm_inline_url_embed_preview: false,
      server_inline_url_embed_preview: true,
    })
  })
})

async function projected(id: number) {
  return bodyDatabase
    .prepare('SELECT content, rendered_content FROM message_body WHERE realm_id = ? AND message_id = ?')
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
