import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { idsIn, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['ann', 'ben'] } },
)

function update(user: TestUser, params: Record<string, ParameterValue | undefined>) {
  return user.api.post('/messages/flags/narrow', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: [],
    op: 'add',
    flag: 'read',
    ...params,
  })
}

async function sendMany(topic: string, count: number, channel = room): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await sendTo(ann, channel.id, topic, `number ${n}`))
  return ids
}

describe('flags of a narrow', () => {
  it('are changed around the anchor, counted, and sent to the user’s clients', async () => {
    const ids = await sendMany('counted', 5)
    expectSuccess(await ben.api.post('/messages/flags', { messages: [ids[2]!], op: 'add', flag: 'read' }))
    const queue = await openQueue(ben)
    const answer = expectSuccess(
      await update(ben, { anchor: ids[2]!, num_before: 1, num_after: 9, narrow: [['topic', 'counted']] }),
    )
    expect(answer).toMatchObject({
      processed_count: 4,
      updated_count: 3,
      first_processed_id: ids[1],
      last_processed_id: ids[4],
      found_oldest: false,
      found_newest: true,
      ignored_because_not_subscribed_channels: [],
    })
    expect(await queue.eventsOf('update_message_flags')).toMatchObject([
      { op: 'add', flag: 'read', messages: [ids[1], ids[3], ids[4]], all: false },
    ])
    expect(
      await idsIn(ben, [
        ['topic', 'counted'],
        ['is', 'unread'],
      ]),
    ).toEqual([ids[0]])
  })

  it('in an empty range: nulls are returned', async () => {
    expect(expectSuccess(await update(ben, { narrow: [['topic', 'never']] }))).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    })
  })

  it('include stars on messages not received, which enter the user’s history', async () => {
    const ids = await sendMany('stars', 2)
    const narrow = [
      ['channel', room.name],
      ['topic', 'stars'],
    ]
    expect(expectSuccess(await update(realm.owner, { narrow, flag: 'starred' }))).toMatchObject({
      updated_count: 2,
    })
    expect(await idsIn(realm.owner, [['is', 'starred']])).toEqual(ids)
    expect(
      expectSuccess(
        await update(realm.owner, { narrow: [['is', 'starred']], op: 'remove', flag: 'starred' }),
      ),
    ).toMatchObject({ updated_count: 2 })
    expect(await idsIn(realm.owner, [['is', 'starred']])).toEqual([])
  })

  it('are not changed in channels without subscription, which are listed', async () => {
    const left = await buildChannel([ann, ben])
    await sendMany('gone', 1, left)
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
    const narrow = [['channel', left.name]]
    expect(expectSuccess(await update(ben, { narrow, op: 'remove' }))).toMatchObject({
      updated_count: 0,
      ignored_because_not_subscribed_channels: [left.id],
    })
  })

  it('can be changed on what a search finds', async () => {
    const [, second] = await sendMany('searched', 3)
    const narrow = [
      ['topic', 'searched'],
      ['search', '"number 1"'],
    ]
    expect(expectSuccess(await update(ben, { narrow }))).toMatchObject({
      processed_count: 1,
      first_processed_id: second,
    })
  })

  it('are changed in a shortened range when it is too long', async () => {
    const answer = expectSuccess(
      await update(ben, {
        anchor: 'newest',
        num_before: 9_000,
        num_after: 9_000,
        narrow: [['topic', 'counted']],
      }),
    )
    expect(answer).toMatchObject({ processed_count: 5, found_newest: true })
  })
})

describe('refused requests', () => {
  it.each([
    [{ anchor: 'middle' }, 'Invalid anchor'],
    [{ flag: 'shiny' }, "Invalid flag: 'shiny'"],
    [{ flag: 'mentioned' }, "Flag not editable: 'mentioned'"],
    [{ op: 'toggle' }, "Invalid message flag operation: 'toggle'"],
    [{ num_before: 1, include_anchor: false }, 'The anchor can only be excluded at an end of the range'],
    [{ num_before: -1 }, 'num_before is too small'],
  ] as [Record<string, ParameterValue>, string][])('%j: %s', async (params, msg) => {
    expectRefusal(await update(ben, params), msg)
  })

  it('lack a required parameter, or an account', async () => {
    for (const name of ['anchor', 'num_before', 'num_after', 'narrow', 'op', 'flag']) {
      expectRefusal(await update(ben, { [name]: undefined }), `Missing '${name}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: name,
      })
    }
    expectUnauthorized(await realm.anonymous.post('/messages/flags/narrow'))
  })
})
