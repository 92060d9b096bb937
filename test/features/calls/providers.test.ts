import { describe, expect, it } from 'vitest'
import { CALL_SETTINGS, useCallServices } from '../../support/call-services.ts'
import { expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
useCallServices()
const choose = (id: number, by = realm.owner) => by.api.patch('/realm', { video_chat_provider: id })

describe('the provider of calls', () => {
  it('is one of those with which the deployment is connected', async () => {
    const { snapshot } = await openQueue(ann)
    expect(snapshot.realm_available_video_chat_providers).toEqual({
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
      big_blue_button: { name: 'BigBlueButton', id: 4 },
      zoom_server_to_server: { name: 'Zoom', id: 5 },
      nextcloud_talk: { name: 'Nextcloud Talk', id: 7 },
    })
    world.settings = {}
    expect(Object.keys((await openQueue(ann)).snapshot.realm_available_video_chat_providers)).toEqual([
      'disabled',
      'jitsi_meet',
    ])
  })

  it('is chosen by administrators, and announced to everybody', async () => {
    const queue = await openQueue(ann)
    for (const id of [4, 5, 7]) expect(expectSuccess(await choose(id)).video_chat_provider).toBe(id)
    expect(await queue.events()).toEqual(
      [4, 5, 7].map((value) =>
        expect.objectContaining({ type: 'realm', op: 'update', property: 'video_chat_provider', value }),
      ),
    )
    expectRefusal(await choose(1, ann), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })

  it('cannot be one that is unknown or not connected', async () => {
    for (const id of [2, 3, 6, 8, -1]) expectRefusal(await choose(id), `Invalid video_chat_provider ${id}`)
    const { ZOOM_ACCOUNT_ID: _left, ...settings } = CALL_SETTINGS
    world.settings = settings
    expectRefusal(await choose(5), 'Invalid video_chat_provider 5')
    expectSuccess(await choose(4))
  })
})
