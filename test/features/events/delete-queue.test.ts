import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, owner, member } = useRealm({ member: 'member' })

const badQueue = (queue_id: string) => ({
  status: 400,
  body: { code: 'BAD_EVENT_QUEUE_ID', msg: `Bad event queue ID: ${queue_id}`, queue_id },
})

describe('ending a queue', () => {
  it('deletes it at once', async () => {
    const { id } = await openQueue(owner)
    expect(expectSuccess(await owner.api.delete('/events', { queue_id: id }))).toEqual({
      result: 'success',
      msg: '',
    })
    expect(await owner.api.get('/events', { queue_id: id })).toMatchObject(badQueue(id))
    expect(await owner.api.delete('/events', { queue_id: id })).toMatchObject(badQueue(id))
  })

  it('ends the poll that waits on it', async () => {
    const queue = await openQueue(owner)
    const poll = owner.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    const waiting = () => inRealm(realm, ({ parts }) => Number(parts.polls.isWaiting(queue.id)))
    await expect.poll(waiting).toBe(1)
    await owner.api.delete('/events', { queue_id: queue.id })
    expect(expectSuccess(await poll).events).toEqual([])
    expect(await waiting()).toBe(0)
  })

  it('leaves the user’s other queues alone', async () => {
    const [one, other] = [await openQueue(owner), await openQueue(owner)]
    await owner.api.delete('/events', { queue_id: one.id })
    expect(await other.events()).toEqual([])
  })

  it('is refused for another user’s queue, which stays', async () => {
    const queue = await openQueue(owner)
    expect(await member.api.delete('/events', { queue_id: queue.id })).toMatchObject(badQueue(queue.id))
    expect(await queue.events()).toEqual([])
  })

  it('needs the queue’s id', async () => {
    expect(await owner.api.delete('/events')).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'queue_id' argument", var_name: 'queue_id' },
    })
  })

  it('needs an account', async () => {
    const { id } = await openQueue(owner)
    expect(await realm.anonymous.delete('/events', { queue_id: id })).toMatchObject({ status: 401 })
  })
})
