import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

function setPolicy(topic: string, visibility_policy: number, user = ann, stream_id = channel.id) {
  return user.api.post('/user_topics', { stream_id, topic, visibility_policy })
}

async function policies(user = ann): Promise<[string, number][]> {
  const { snapshot } = await openQueue(user)
  return snapshot.user_topics.map((one: { topic_name: string; visibility_policy: number }) => [
    one.topic_name,
    one.visibility_policy,
  ])
}

describe('4.9 Update personal preferences for a topic', () => {
  it.each([
    [1, 'muted'],
    [2, 'unmuted'],
    [3, 'followed'],
  ])('visibility_policy %i (%s) is kept and sent to the user alone', async (policy, name) => {
    const [own, other] = [await openQueue(ann), await openQueue(ben)]
    expect(expectSuccess(await setPolicy(name, policy))).toEqual({ result: 'success', msg: '' })
    expect(await own.eventsOf('user_topic')).toMatchObject([
      {
        stream_id: channel.id,
        topic_name: name,
        visibility_policy: policy,
        last_updated: expect.any(Number),
      },
    ])
    expect(await other.eventsOf('user_topic')).toEqual([])
    expect(await policies()).toContainEqual([name, policy])
  })

  it('3 Topic visibility: policy 0 removes it', async () => {
    expectSuccess(await setPolicy('to be taken off', 1))
    const queue = await openQueue(ann)
    expectSuccess(await setPolicy('to be taken off', 0))
    expect(await queue.eventsOf('user_topic')).toMatchObject([{ visibility_policy: 0 }])
    expect((await policies()).map(([topic]) => topic)).not.toContain('to be taken off')
  })

  it('3 Topic visibility: a topic without messages can have a policy', async () => {
    expectSuccess(await setPolicy('never written in', 1))
    expectSuccess(await setPolicy('never heard of', 0))
  })

  it('the display name of the empty topic is the empty string', async () => {
    expectSuccess(await setPolicy('general chat', 3))
    expect(await policies()).toContainEqual(['', 3])
  })

  it('a topic matches whatever the case of its letters', async () => {
    expectSuccess(await setPolicy('Case', 1))
    expectSuccess(await setPolicy('cASE', 3))
    expect((await policies()).filter(([topic]) => topic.toLowerCase() === 'case')).toEqual([['cASE', 3]])
  })

  it('the same policy again is a success without an event', async () => {
    expectSuccess(await setPolicy('twice', 1))
    const queue = await openQueue(ann)
    expectSuccess(await setPolicy('twice', 1))
    expect(await queue.events()).toEqual([])
  })

  it('a topic over the limit is refused', async () => {
    expect((await setPolicy('t'.repeat(61), 1)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'topic is too long (limit: 60 characters)',
    })
  })

  it('a policy other than 0 to 3 is refused', async () => {
    expect((await setPolicy('x', 4)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Invalid visibility_policy',
    })
  })

  it('a channel that is not there, and one whose content the user may not read', async () => {
    const secret = await buildChannel([ben], { invite_only: true })
    for (const id of [987_654, secret.id]) {
      expect((await setPolicy('x', 1, ann, id)).body.msg).toBe('Invalid channel ID')
    }
    expectSuccess(await setPolicy('x', 0, ann, secret.id))
  })
})
