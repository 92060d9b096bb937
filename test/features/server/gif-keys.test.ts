import { afterEach, describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { allowSpectators, openChannel, Spectator, WEB_PUBLIC } from '../../support/spectator.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
const KEYS = { GIPHY_API_KEY: 'giphy-1', TENOR_API_KEY: 'tenor-1' }

afterEach(() => {
  world.settings = {}
})

describe('the keys of providers of GIFs', () => {
  it('are what the deployment has, for everybody who is logged in', async () => {
    world.settings = KEYS
    const guest = await buildUser(realm, { role: 600 })
    for (const user of [ann, guest]) {
      expect((await openQueue(user)).snapshot).toMatchObject({
        giphy_api_key: 'giphy-1',
        tenor_api_key: 'tenor-1',
      })
    }
    world.settings = { TENOR_API_KEY: 'tenor-1' }
    expect((await openQueue(ann)).snapshot).toMatchObject({ giphy_api_key: '', tenor_api_key: 'tenor-1' })
  })

  it('are empty without settings', async () => {
    expect((await openQueue(ann)).snapshot).toMatchObject({ giphy_api_key: '', tenor_api_key: '' })
  })

  it('are kept from visitors without an account', async () => {
    world.settings = { ...WEB_PUBLIC, ...KEYS }
    await allowSpectators(realm)
    await openChannel(realm.owner, 'open')
    const answer = await new Spectator(realm.host).register({ fetch_event_types: ['giphy', 'tenor'] })
    expect(expectSuccess(answer)).toMatchObject({ giphy_api_key: '', tenor_api_key: '' })
  })
})
