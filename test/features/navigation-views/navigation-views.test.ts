import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, user, other } = useRealm({ user: 'member', other: 'member' })

const list = async (of: TestUser) => expectSuccess(await of.api.get('/navigation_views')).navigation_views

describe('navigation views', () => {
  it('can be added, changed and removed, for oneself alone', async () => {
    const queues = [await openQueue(user), await openQueue(other)]
    const fragment = 'narrow/channel/7-harbour/topic/a.20b'
    const path = `/navigation_views/${encodeURIComponent(fragment)}`
    const custom = { fragment, is_pinned: true, name: 'Ships' }
    expectSuccess(await user.api.post('/navigation_views', custom))
    expectSuccess(await user.api.post('/navigation_views', { fragment: 'inbox', is_pinned: false }))
    const inbox = { fragment: 'inbox', is_pinned: false, name: null }
    expect(await list(user)).toEqual([inbox, custom])
    expect((await openQueue(user)).snapshot.navigation_views).toEqual([inbox, custom])
    expectSuccess(await user.api.patch(path, { is_pinned: false, name: 'Ships' }))
    expectSuccess(await user.api.patch(path, { name: 'All ships' }))
    expect((await list(user))[1]).toEqual({ fragment, is_pinned: false, name: 'All ships' })
    expectSuccess(await user.api.delete(path))
    expect(await list(user)).toEqual([inbox])
    expect(await list(other)).toEqual([])
    expect(await queues[0]!.events()).toMatchObject([
      { type: 'navigation_view', op: 'add', navigation_view: custom },
      { op: 'add', navigation_view: inbox },
      { op: 'update', fragment, data: { is_pinned: false } },
      { op: 'update', fragment, data: { name: 'All ships' } },
      { op: 'remove', fragment },
    ])
    expect(await queues[1]!.events()).toEqual([])
    expectRefusal(await user.api.delete(path), 'Navigation view does not exist.', { status: 404 })
    expectRefusal(await other.api.patch('/navigation_views/inbox', {}), 'Navigation view does not exist.', {
      status: 404,
    })
  })

  it('need unique names unless they are built in', async () => {
    const add = (params: object) => other.api.post('/navigation_views', { is_pinned: true, ...params })
    expectRefusal(await add({ fragment: 'narrow/x' }), 'Custom views must have a valid name.')
    expectRefusal(await add({ fragment: 'narrow/x', name: ' ' }), 'Custom views must have a valid name.')
    expectRefusal(
      await add({ fragment: 'recent', name: 'Mine' }),
      'Built-in views cannot have a custom name.',
    )
    expectSuccess(await add({ fragment: 'recent' }))
    expectRefusal(await add({ fragment: 'recent' }), 'Navigation view already exists.')
    expectRefusal(
      await other.api.patch('/navigation_views/recent', { name: 'Mine' }),
      'Built-in views cannot have a custom name.',
    )
    expectRefusal(
      await other.api.post('/navigation_views', { fragment: 'x' }),
      "Missing 'is_pinned' argument",
      {
        code: 'REQUEST_VARIABLE_MISSING',
      },
    )
    for (const method of ['GET', 'POST']) {
      expectUnauthorized(await realm.anonymous.request(method, '/navigation_views'))
    }
  })
})
