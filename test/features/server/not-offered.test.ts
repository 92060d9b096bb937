import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

describe('a service that the deployment has no provider for', () => {
  const services: [string, string, object, string][] = [
    ['GET', '/messages/summary', { narrow: [] }, 'AI features are not enabled on this server.'],
    ['POST', '/calls/constructorgroups/create', {}, 'Constructor Groups is not configured.'],
    ['POST', '/calls/webex/create', {}, 'Webex is not configured on this server.'],
  ]

  it.each(services)('%s %s is refused to everyone', async (method, path, params, msg) => {
    const guest = await buildUser(realm, { role: 600 })
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [ann, guest]) expectRefusal(await api.request(method, path, { ...params }), msg)
    expectUnauthorized(await realm.anonymous.request(method, path, { ...params }))
    expect((await gone.api.request(method, path, { ...params })).status).toBe(401)
  })

  it('is not offered: no summaries, and no calls that need a log-in of each person', async () => {
    const { snapshot } = await openQueue(ann)
    expect(snapshot).toMatchObject({
      server_can_summarize_topics: false,
      has_zoom_token: false,
      has_webex_token: false,
    })
  })
})
