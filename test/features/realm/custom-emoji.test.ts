import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { readImageFacts } from '../../support/image-facts.ts'
import { HUGE_PNG, MOVING_GIF, NO_IMAGE, PNG } from '../../support/images.ts'
import { pngOf } from '../../support/pictures.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, postFiles } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()

function add(user: TestUser, name: string, files = [PNG]) {
  return postFiles(user, `/realm/emoji/${encodeURIComponent(name)}`, files)
}

interface ShownEmoji {
  readonly name: string
  readonly id: string
  readonly source_url: string
  readonly still_url: string | null
}

async function emojiNamed(name: string, user = ben) {
  const { emoji } = expectSuccess(await user.api.get('/realm/emoji'))
  return Object.values(emoji as Record<string, ShownEmoji>).find((candidate) => candidate.name === name)!
}

async function sendDirect(content: string): Promise<{ id: number; content: string }> {
  const message = { type: 'direct', to: [ben.id], content }
  const { id } = expectSuccess(await ann.api.post('/messages', message))
  return expectSuccess(await ben.api.get(`/messages/${id}`)).message
}

describe('adding an emoji', () => {
  it('emits the whole list to everybody; its image loads without credentials', async () => {
    const queues = [await openQueue(ben), await openQueue(guest)]
    expectSuccess(await add(ann, 'green tick'))
    const known = await emojiNamed('green_tick')
    expect(known).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'green_tick',
      source_url: expect.stringMatching(new RegExp(`^/user_avatars/${realm.id}/[0-9a-f]{32}\\.png$`)),
      still_url: null,
      deactivated: false,
      author_id: ann.id,
    })
    for (const queue of queues) {
      expect((await queue.eventsOf('realm_emoji', 'update'))[0]!.realm_emoji[known.id]).toEqual(known)
    }
    expect((await openQueue(guest)).snapshot.realm_emoji[known.id]).toEqual(known)
    const picture = await fetchPath(realm, known.source_url)
    expect(readImageFacts(await picture.bytes())).toMatchObject({ type: 'png', width: 1, height: 1 })
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('reaches clients that ask for it alone, as does its deactivation', async () => {
    const client_capabilities = { ...ALL_CAPABILITIES, individual_emoji_changes: true }
    const queue = await openQueue(guest, { client_capabilities })
    expectSuccess(await add(ann, 'single'))
    const known = await emojiNamed('single')
    expect(await queue.eventsOf('realm_emoji')).toEqual([
      { id: expect.any(Number), type: 'realm_emoji', op: 'add', emoji: known },
    ])
    expectSuccess(await ann.api.delete('/realm/emoji/single'))
    const change = { op: 'update_one', emoji_id: known.id, data: { deactivated: true } }
    expect(await queue.eventsOf('realm_emoji')).toEqual([
      { id: expect.any(Number), type: 'realm_emoji', ...change },
    ])
  })

  it('shrinks a large image to its display size', async () => {
    expectSuccess(await add(ann, 'wide', [pngOf(640, 320)]))
    const { source_url } = await emojiNamed('wide')
    const picture = await (await fetchPath(realm, source_url)).bytes()
    expect(readImageFacts(picture)).toMatchObject({ type: 'png', width: 64, height: 32 })
  })

  it('keeps an animated image, and makes a still one of it', async () => {
    expectSuccess(await add(ann, 'mover', [MOVING_GIF]))
    const { source_url, still_url } = await emojiNamed('mover')
    const moving = await fetchPath(realm, source_url!)
    expect(moving.headers.get('content-type')).toBe('image/gif')
    expect(await moving.bytes()).toEqual(MOVING_GIF.content)
    const still = await fetchPath(realm, still_url!)
    expect(still.headers.get('content-type')).toBe('image/png')
    expect(readImageFacts(await still.bytes())).toMatchObject({ type: 'png', width: 1, isAnimated: false })
  })

  it('allows its use in messages, reactions and statuses', async () => {
    expectSuccess(await add(ann, 'party'))
    const { id, source_url } = await emojiNamed('party')
    const { content, id: messageId } = await sendDirect('a :party:!')
    expect(content).toBe(`<p>a <img alt=":party:" class="emoji" src="${source_url}" title="party">!</p>`)
    const queue = await openQueue(ann)
    expectSuccess(await ben.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'party' }))
    expect(await queue.eventsOf('reaction')).toMatchObject([
      { emoji_name: 'party', emoji_code: id, reaction_type: 'realm_emoji' },
    ])
    expectSuccess(
      await ben.api.delete(`/messages/${messageId}/reactions`, {
        emoji_name: 'party',
        reaction_type: 'realm_emoji',
      }),
    )
    expectSuccess(await ben.api.post('/users/me/status', { emoji_name: 'party' }))
    expect(await queue.eventsOf('user_status')).toMatchObject([
      { emoji_name: 'party', emoji_code: id, reaction_type: 'realm_emoji' },
    ])
  })

  it('by an administrator may replace a Unicode emoji', async () => {
    expectRefusal(await add(ann, 'tada'), 'Only administrators can override default emoji.')
    expectSuccess(await add(realm.owner, 'tada'))
    expect((await sendDirect(':tada:')).content).toContain('<img alt=":tada:"')
  })

  it('refuses names that cannot be typed between colons', async () => {
    const characters =
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.'
    expectRefusal(await add(ann, 'Green'), characters)
    expectRefusal(await add(ann, 'grün'), characters)
    expectRefusal(await add(ann, 'green!'), characters)
    expectRefusal(await add(ann, 'green_'), 'Emoji names must end with either a letter or digit.')
    expectRefusal(await add(ann, ' '), 'Emoji name is missing')
  })

  it('refuses a name in use, and anything but one image', async () => {
    expectSuccess(await add(ann, 'taken'))
    expectRefusal(await add(ben, 'taken', []), 'A custom emoji with this name already exists.')
    expectRefusal(await add(ann, 'none', []), 'You must upload exactly one file.')
    expectRefusal(await add(ann, 'two', [PNG, PNG]), 'You must upload exactly one file.')
    for (const file of [NO_IMAGE, HUGE_PNG]) {
      expectRefusal(await add(ann, 'webpage', [file]), 'Invalid image format', { code: 'BAD_IMAGE' })
    }
    const huge = { ...PNG, content: new Uint8Array(5 * 1024 * 1024 + 1) }
    expectRefusal(await add(ann, 'huge', [huge]), 'Uploaded file is larger than the allowed limit of 5 MiB')
    for (const name of ['none', 'two', 'webpage', 'huge']) expect(await emojiNamed(name)).toBeUndefined()
  })

  it('is for members of can_add_custom_emoji_group', async () => {
    expectRefusal(await add(guest, 'guests'), 'Insufficient permission')
    expectUnauthorized(await realm.anonymous.post('/realm/emoji/nobodys'))
    expectUnauthorized(await realm.anonymous.get('/realm/emoji'))
  })
})

describe('deactivating an emoji', () => {
  it('notifies everybody, prevents its use and keeps its image', async () => {
    expectSuccess(await add(ann, 'our_old'))
    const { content, id: messageId } = await sendDirect(':our_old:')
    expectSuccess(await ben.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'our_old' }))
    const known = await emojiNamed('our_old')
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.delete('/realm/emoji/our_old'))
    const [event] = await queue.eventsOf('realm_emoji')
    expect(event!.realm_emoji[known.id]).toEqual({ ...known, deactivated: true })
    expect((await fetchPath(realm, known.source_url)).status).toBe(200)
    expect(content).toContain(known.source_url)
    const other = await sendDirect('still :our_old:')
    expect(other.content).toBe('<p>still :our_old:</p>')
    expectRefusal(
      await ben.api.post(`/messages/${other.id}/reactions`, { emoji_name: 'our_old' }),
      "Emoji 'our_old' does not exist",
    )
    expectRefusal(
      await ben.api.post(`/messages/${other.id}/reactions`, {
        emoji_name: 'our_old',
        emoji_code: known.id,
        reaction_type: 'realm_emoji',
      }),
      'This custom emoji has been deactivated.',
    )
    expectSuccess(await add(ben, 'our_old'))
    expect((await sendDirect(':our_old:')).content).toContain('<img')
  })

  it('is allowed to its author and administrators', async () => {
    expectSuccess(await add(ann, 'anns'))
    expectRefusal(
      await ben.api.delete('/realm/emoji/anns'),
      'Must be an organization administrator or emoji author',
    )
    expectSuccess(await realm.owner.api.delete('/realm/emoji/anns'))
    expectRefusal(await ann.api.delete('/realm/emoji/anns'), "Emoji 'anns' does not exist", { status: 404 })
    expectUnauthorized(await realm.anonymous.delete('/realm/emoji/anns'))
  })
})

describe('the images of an organization', () => {
  it('are served only at its own host, at URLs that it gave out', async () => {
    expectSuccess(await add(ann, 'ours'))
    const { source_url } = await emojiNamed('ours')
    expect((await fetchPath(other, source_url)).status).toBe(404)
    expect((await fetchPath(realm, source_url.replace(/\/[0-9a-f]+\./, `/${'0'.repeat(32)}.`))).status).toBe(
      404,
    )
    expect((await fetchPath(realm, source_url.replace('.png', '.html'))).status).toBe(404)
    expect((await fetchPath(realm, `/user_avatars/../user_uploads/${realm.id}/x`)).status).toBe(404)
  })
})

describe('the extra emoji “zulip”', () => {
  it('is an image in messages, which anybody can load', async () => {
    const channel = await buildChannel([ann, ben])
    const message = { type: 'channel', to: channel.name, topic: 'extra', content: ':zulip:' }
    const { id } = expectSuccess(await ann.api.post('/messages', message))
    const { content } = expectSuccess(await ben.api.get(`/messages/${id}`)).message
    const source = /<img alt=":zulip:" class="emoji" src="([^"]+)" title="zulip">/.exec(content)?.[1]
    const picture = await fetchPath(realm, source!)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect([...new Uint8Array(await picture.arrayBuffer()).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  })
})
