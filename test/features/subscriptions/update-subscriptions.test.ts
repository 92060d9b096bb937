import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const PATH = '/users/me/subscriptions'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

describe('joining and leaving at once', () => {
  it('reports both, and creates new channels', async () => {
    const old = await buildChannel([realm.owner, ann])
    const answer = await ann.api.patch(PATH, {
      add: [{ name: 'fresh', color: '#012345' }],
      delete: [old.name],
    })
    expect(expectSuccess(answer)).toMatchObject({
      subscribed: { [ann.id]: ['fresh'] },
      already_subscribed: {},
      removed: [old.name],
      not_removed: [],
    })
    const { subscriptions } = expectSuccess(await ann.api.get(PATH))
    const names = subscriptions.map((one: { name: string }) => one.name)
    expect(names).toContain('fresh')
    expect(names).not.toContain(old.name)
  })

  it('is all or nothing', async () => {
    const answer = await ann.api.patch(PATH, { add: [{ name: 'never' }], delete: ['no such'] })
    expectRefusal(answer, "Channel 'no such' does not exist", { code: 'STREAM_DOES_NOT_EXIST' })
    expectRefusal(await ann.api.get('/get_stream_id', { stream: 'never' }), "Invalid channel name 'never'")
  })

  it('needs at least one channel', async () => {
    expectRefusal(
      await ann.api.patch(PATH, { add: [] }),
      'Nothing to do. Specify at least one of "add" or "delete".',
    )
  })

  it('lets guests leave, but not join', async () => {
    const { name } = await buildChannel([realm.owner, guest])
    expectRefusal(await guest.api.patch(PATH, { add: [{ name: 'general' }] }), 'Not allowed for guest users')
    expect(expectSuccess(await guest.api.patch(PATH, { delete: [name] })).removed).toEqual([name])
    expectUnauthorized(await realm.anonymous.patch(PATH, { delete: [name] }))
  })
})

describe('the list of one’s subscriptions', () => {
  it('is sorted by name; subscribers and archived channels are there when asked for', async () => {
    const shelf = await buildChannel([ann], { name: 'AAA shelf' })
    expectSuccess(await ann.api.delete(`/streams/${shelf.id}`))
    const open = await buildChannel([ann, realm.owner], { name: 'AAB open' })
    const list = async (params: Record<string, string | boolean>) =>
      expectSuccess(await ann.api.get(PATH, params)).subscriptions as { name: string }[]
    expect((await list({}))[0]).toMatchObject({ name: 'AAB open' })
    expect((await list({}))[0]).not.toHaveProperty('subscribers')
    for (const include_subscribers of [true, 'partial']) {
      expect((await list({ include_subscribers }))[0]).toMatchObject({
        stream_id: open.id,
        subscribers: [realm.owner.id, ann.id],
        subscriber_count: 2,
      })
    }
    expect((await list({ include_archived_channels: true }))[0]).toMatchObject({ is_archived: true })
  })
})
