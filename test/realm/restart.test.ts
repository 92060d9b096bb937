import { expect, it } from 'vitest'
import { evictRealm } from '../support/api.ts'
import { changeRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, guest } = useRealm({ guest: 'guest' })

const VERSIONS = ['zulip_version', 'zulip_merge_base', 'svc_version', 'svc_merge_base']

/** Evicts the object as if a deployment of this older level had served it last. */
async function fallAsleepAt(level: number): Promise<void> {
  await changeRealm(realm, ({ sql }) =>
    sql.run(`UPDATE meta SET value = ? WHERE key = 'feature_level'`, level),
  )
  await evictRealm(realm.id)
}

it('a new feature level emits one restart event; waking emits none', async () => {
  const [queue, deaf, waiting] = [
    await openQueue(guest),
    await openQueue(realm.owner, { event_types: ['message'] }),
    await openQueue(realm.owner),
  ]
  await evictRealm(realm.id)
  expect(await queue.events()).toEqual([])
  const poll = waiting.poll()
  await fallAsleepAt(372)
  const [event, ...others] = await queue.events()
  expect(others).toEqual([])
  const { snapshot } = await openQueue(guest)
  const { zulip_feature_level, svc_feature_level, server_generation } = snapshot
  // The time of the deployment, which is the start of the tests here.
  expect(Math.abs(server_generation - Date.now() / 1_000)).toBeLessThan(3_600)
  expect(event).toMatchObject({ type: 'restart', zulip_feature_level, svc_feature_level, server_generation })
  for (const name of VERSIONS) expect(event![name]).toBe(snapshot[name])
  expect(await poll).toMatchObject([{ type: 'restart' }])
  expect(await deaf.events()).toEqual([])
  await evictRealm(realm.id)
  expect(await queue.events()).toEqual([])
})
