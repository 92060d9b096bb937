import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { atLevel, buildChannel, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, admin } = useRealm({ ann: 'member', ben: 'member', admin: 'administrator' })
const origin = () => `http://${realm.host}`
const send = async (user: TestUser, params: Record<string, ParameterValue>): Promise<Json> =>
  expectSuccess(
    await atLevel(user, 508).api.post('/messages', { type: 'channel', content: 'hello', ...params }),
  )

describe('the answer to a send of a client of level 508', () => {
  it('has the address of a message in a channel, and a link with names', async () => {
    const { id: to } = await buildChannel([ann], { name: 'big [halls]' })
    const { id, message_url, message_link } = await send(ann, { to, topic: 'wall & gate' })
    const slug = 'big-.5Bhalls.5D'
    expect(message_url).toBe(`${origin()}/#narrow/channel/${to}-${slug}/topic/wall.20.26.20gate/near/${id}`)
    expect(message_link).toBe(`[#big &#91;halls&#93; > wall &amp; gate @ 💬](${message_url})`)
    expect((await send(ann, { to, topic: '' })).message_link).toMatch('> general chat @ 💬](')
    const copied = await sendTo(ann, to, 'links', message_link)
    const { message } = expectSuccess(await ann.api.get(`/messages/${copied}`))
    expect(message.content).toMatch(/^<p><a[^>]*>#big \[halls\] &gt; wall &amp; gate @ <span/)
  })

  it('has the address of a direct message, which is its link too', async () => {
    const { id, message_url, message_link } = await send(ann, { type: 'direct', to: [ben.id] })
    expect(message_url).toBe(
      `${origin()}/#narrow/dm/${[ann.id, ben.id].sort((a, b) => a - b).join(',')}-dm/near/${id}`,
    )
    expect(message_link).toBe(message_url)
  })

  it('does not name a channel that the sender may not know of', async () => {
    const { id: to } = await buildChannel([ann], { invite_only: true })
    const bot = await createBot(ann, 'Herald')
    const { id, message_url, message_link } = await send(bot, { to, topic: 'walls' })
    expect(message_url).toBe(`${origin()}/#narrow/channel/${to}/topic/walls/near/${id}`)
    expect(message_link).toBe(message_url)
  })

  it('is the same when it is repeated; names out of reach stay hidden', async () => {
    const { id: to } = await buildChannel([ann, admin])
    const hidden = await buildChannel([admin], { invite_only: true })
    const key = { queue_id: 'queue', local_id: '1' }
    const first = await send(ann, { to, topic: 'walls', ...key })
    expect(await send(ann, { to, topic: 'walls', ...key })).toEqual(first)
    const move = { stream_id: hidden.id, topic: 'secret' }
    expectSuccess(await admin.api.patch(`/messages/${first.id}`, move))
    const again = await send(ann, { to, topic: 'walls', ...key })
    expect(again.message_url).toBe(`${origin()}/#narrow/id/${first.id}`)
    expect(again.message_link).toBe(again.message_url)
  })
})
