import { describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { readJson } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

/** An emoji under its code, and under the code that this server had for it before. */
const FLAG = { emoji_name: 'rainbow_flag', emoji_code: '1f3f3-200d-1f308', reaction_type: 'unicode_emoji' }
const BEFORE = { ...FLAG, emoji_code: '1f3f3-fe0f-200d-1f308' }

async function send(): Promise<number> {
  const message = { type: 'channel', to: channel.name, topic: 'emoji', content: 'react to me' }
  return expectSuccess(await ann.api.post('/messages', message)).id
}

describe('the code of an emoji', () => {
  it('in reactions has no variation selector, however it was sent', async () => {
    const id = await send()
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { ...BEFORE }))
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { ...FLAG }))
    const events = await queue.eventsOf('reaction')
    expect(events.map(({ emoji_code }) => emoji_code)).toEqual([FLAG.emoji_code, FLAG.emoji_code])
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect(message.reactions).toMatchObject([FLAG, FLAG])
  })

  it('with and without variation selectors means one reaction', async () => {
    const id = await send()
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { ...FLAG }))
    expect((await ann.api.post(`/messages/${id}/reactions`, { ...BEFORE })).body.code).toBe(
      'REACTION_ALREADY_EXISTS',
    )
    expectSuccess(await ann.api.delete(`/messages/${id}/reactions`, { ...BEFORE }))
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: FLAG.emoji_name }))
    expectSuccess(await ann.api.delete(`/messages/${id}/reactions`, { emoji_code: FLAG.emoji_code }))
  })

  it('in statuses has no variation selector, however it was sent', async () => {
    const queue = await openQueue(ben)
    for (const sent of [FLAG, BEFORE]) {
      expectSuccess(await ann.api.post('/users/me/status', { ...sent }))
      expect(expectSuccess(await ben.api.get(`/users/${ann.id}/status`)).status).toEqual(FLAG)
    }
    expect(await queue.eventsOf('user_status')).toMatchObject([FLAG, FLAG])
    expectRefusal(
      await ann.api.post('/users/me/status', { ...FLAG, emoji_name: 'heart' }),
      'Invalid emoji name.',
    )
  })

  it('at the address of emoji data is the one that messages and reactions have', async () => {
    const { snapshot } = await openQueue(ann)
    const answer = await askWorker(new Request(snapshot.server_emoji_data_url))
    const { code_to_names } = await readJson<{ code_to_names: Record<string, string[]> }>(answer)
    expect(Object.keys(code_to_names).filter((code) => code.includes('fe0f'))).toEqual([])
    expect(code_to_names[FLAG.emoji_code]).toContain(FLAG.emoji_name)
    const { rendered } = expectSuccess(
      await ann.api.post('/messages/render', { content: ':rainbow_flag: 🏳️‍🌈' }),
    )
    expect(rendered.match(/class="[^"]*"/g)).toEqual(Array(2).fill(`class="emoji emoji-${FLAG.emoji_code}"`))
  })
})
