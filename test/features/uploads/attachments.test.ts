import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function send(from: TestUser, content: string): Promise<number> {
  const message = { type: 'channel', to: channel.name, topic: 'files', content }
  return expectSuccess(await from.api.post('/messages', message)).id
}

async function attachmentAt(path: string, user = ann) {
  const { attachments } = expectSuccess(await user.api.get('/attachments'))
  const pathId = path.replace('/user_uploads/', '')
  return attachments.find(({ path_id }: { path_id: string }) => path_id === pathId)
}

describe('a message that links to an upload', () => {
  it('is listed with the upload, and its owner is notified', async () => {
    const path = await upload(ann, { content: 'listed' })
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const id = await send(ann, `[one](${path}) and [once more](${path})`)
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    const listed = await attachmentAt(path)
    expect(listed).toMatchObject({ size: 6, name: 'notes.txt' })
    expect(listed.messages).toEqual([{ id, date_sent: message.timestamp * 1_000 }])
    const events = await anns.events()
    expect(events.map(({ type }) => type)).toEqual(['message', 'muted_topics', 'user_topic', 'attachment'])
    expect(events[3]).toMatchObject({ op: 'update', attachment: listed })
    expect(await bens.eventsOf('attachment')).toEqual([])
  })

  it('is found by has:attachment, unlike one that links to what its author may not read', async () => {
    const path = await upload(ann)
    const other = await buildChannel([ann, ben])
    const post = async (from: TestUser, content: string) =>
      expectSuccess(
        await from.api.post('/messages', { type: 'channel', to: other.name, topic: 'has', content }),
      ).id
    await post(ben, `[not mine](${path})`)
    const id = await post(ann, `[mine](${path})`)
    const narrow = [
      { operator: 'channel', operand: other.id },
      { operator: 'has', operand: 'attachment' },
    ]
    const found = await ben.api.get('/messages', { narrow, anchor: 'newest', num_before: 10, num_after: 0 })
    expect(found.body.messages.map((message: { id: number }) => message.id)).toEqual([id])
  })

  it('attaches and detaches uploads when edited, and returns the detached ones', async () => {
    const [first, second, elsewhere] = [await upload(ann), await upload(ann), await upload(ann)]
    const id = await send(ann, `[1](${first}) [3](${elsewhere})`)
    await send(ann, `[3](${elsewhere})`)
    const queue = await openQueue(ann)
    const { detached_uploads } = expectSuccess(
      await ann.api.patch(`/messages/${id}`, { content: `[2](${second})` }),
    )
    const detached = await attachmentAt(first)
    expect(detached_uploads).toEqual([detached])
    expect(detached.messages).toEqual([])
    expect((await attachmentAt(second)).messages.map((message: { id: number }) => message.id)).toEqual([id])
    expect((await attachmentAt(elsewhere)).messages).toHaveLength(1)
    const events = await queue.events()
    expect(events.map(({ type }) => type)).toEqual([
      'update_message',
      'attachment',
      'attachment',
      'attachment',
    ])
    expect([await readStatus(realm, first, ben), await readStatus(realm, second, ben)]).toEqual([403, 200])
  })

  it('does not return other people’s uploads as detached', async () => {
    const path = await upload(ann)
    const anns = await send(ann, `[1](${path})`)
    const bens = await send(ben, `[1](${path})`)
    expectSuccess(await realm.owner.api.delete(`/messages/${anns}`))
    const { detached_uploads } = expectSuccess(await ben.api.patch(`/messages/${bens}`, { content: 'none' }))
    expect(detached_uploads).toEqual([])
    expect((await attachmentAt(path)).messages).toEqual([])
  })

  it('detaches them when it is deleted', async () => {
    const path = await upload(ann)
    const id = await send(ann, `[1](${path})`)
    const queue = await openQueue(ann)
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect((await queue.events()).map(({ type, op }) => [type, op])).toEqual([
      ['delete_message', undefined],
      ['attachment', 'update'],
    ])
    expect((await attachmentAt(path)).messages).toEqual([])
  })
})

describe('a message that is to be sent later', () => {
  const scheduled = (content: string) => ({
    type: 'channel',
    to: channel.id,
    topic: 'files',
    content,
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 3_600,
  })

  it('lets nobody read its uploads before it is sent, its readers then', async () => {
    const path = await upload(ann)
    const queue = await openQueue(ann, { queue_lifespan_secs: 604_800 })
    expectSuccess(await ann.api.post('/scheduled_messages', scheduled(`[1](${path})`)))
    expect(await queue.eventsOf('attachment')).toEqual([])
    expect(await readStatus(realm, path, ben)).toBe(403)
    world.clockOffset = 3_602
    await inRealm(realm, (object) => object.alarm())
    expect(await readStatus(realm, path, ben)).toBe(200)
    expect((await queue.eventsOf('attachment')).map(({ op }) => op)).toEqual(['update'])
  })

  it('prevents its uploads from counting as detached', async () => {
    const path = await upload(ann)
    const id = await send(ann, `[1](${path})`)
    const later = scheduled(`[1](${path})`)
    const { scheduled_message_id } = expectSuccess(await ann.api.post('/scheduled_messages', later))
    const without = await ann.api.patch(`/messages/${id}`, { content: 'none' })
    expect(expectSuccess(without).detached_uploads).toEqual([])
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: `[1](${path})` }))
    expectSuccess(await ann.api.delete(`/scheduled_messages/${scheduled_message_id}`))
    const again = await ann.api.patch(`/messages/${id}`, { content: 'none' })
    expect(expectSuccess(again).detached_uploads).toHaveLength(1)
  })
})

describe('an upload with a name in any script', () => {
  it('can be linked literally or percent-encoded', async () => {
    for (const encode of [(path: string) => path, encodeURI]) {
      const path = await upload(ann, { name: 'Отчёт für 2027.pdf', type: 'application/pdf' })
      await send(ann, `[plan](${encode(path)})`)
      expect(await readStatus(realm, encode(path), ben)).toBe(200)
      const { url } = expectSuccess(await ben.api.get(encode(path)))
      expect(await readStatus(realm, url)).toBe(200)
    }
  })
})

describe('deleting an upload', () => {
  it('removes it and its bytes at once, and notifies its owner', async () => {
    const path = await upload(ann, { content: '12345' })
    await send(ann, `[1](${path})`)
    const { id } = await attachmentAt(path)
    const before = (await ann.api.get('/attachments')).body.upload_space_used
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await ann.api.delete(`/attachments/${id}`))
    expect(await anns.eventsOf('attachment')).toMatchObject([
      { op: 'remove', attachment: { id }, upload_space_used: before - 5 },
    ])
    expect(await bens.events()).toEqual([])
    expect(await attachmentAt(path)).toBeUndefined()
    expect([await readStatus(realm, path, ann), await readStatus(realm, path, ben)]).toEqual([404, 404])
    world.clockOffset = 2
    await inRealm(realm, (object) => object.alarm())
    const key = `user_uploads/${path.split('/').slice(2, 5).join('/')}`
    expect(await env.UPLOADS.head(key)).toBeNull()
    expectRefusal(await ann.api.delete(`/attachments/${id}`), 'Invalid attachment')
  })

  it('is for its owner alone', async () => {
    const { id } = await attachmentAt(await upload(ann))
    for (const user of [ben, realm.owner]) {
      expectRefusal(await user.api.delete(`/attachments/${id}`), 'Invalid attachment')
    }
    expectUnauthorized(await realm.anonymous.delete(`/attachments/${id}`))
    expectUnauthorized(await realm.anonymous.get('/attachments'))
  })
})

describe('the list of uploads', () => {
  const { realm: other, user } = useRealm({ user: 'member' })

  it('has one’s own, and the space that the whole organization uses', async () => {
    await upload(other.owner, { content: '123' })
    await upload(user, { content: '4567' })
    const { attachments, upload_space_used } = (await user.api.get('/attachments')).body
    expect([attachments.map(({ size }: { size: number }) => size), upload_space_used]).toEqual([[4], 7])
  })
})
