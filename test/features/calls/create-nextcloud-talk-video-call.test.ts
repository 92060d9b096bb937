import { describe, expect, it } from 'vitest'
import { CALL_SETTINGS, useCallServices } from '../../support/call-services.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
const services = useCallServices()
const PATH = '/calls/nextcloud_talk/create'

describe('POST /calls/nextcloud_talk/create', () => {
  it('makes a public room with the name', async () => {
    for (const { api } of [ann, guest]) {
      const { url } = expectSuccess(await api.post(PATH, { room_name: 'plans › 2027' }))
      expect(url).toBe(`https://cloud.example.test/call/room${services.now.rooms.length}`)
    }
    expect(services.now.rooms).toEqual(Array(2).fill({ roomType: 3, roomName: 'plans › 2027' }))
  })

  it('is refused to visitors and closed accounts, without contacting Nextcloud', async () => {
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectUnauthorized(await realm.anonymous.post(PATH, { room_name: 'plans' }))
    expect((await gone.api.post(PATH, { room_name: 'plans' })).status).toBe(401)
    expect(services.now.requests).toBe(0)
  })

  it('says that no room was made when Nextcloud refuses, fails or answers nonsense', async () => {
    const answers = [
      () => new Response('{}', { status: 401 }),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ ocs: { data: { token: '../../evil' } } }),
      () => Promise.reject(new TypeError('no such host')),
    ]
    for (const answer of answers) {
      services.now.answers.set('https://cloud.example.test/', answer)
      expectRefusal(await ann.api.post(PATH, { room_name: 'plans' }), 'Failed to create Nextcloud Talk room')
    }
  })

  it('is refused where a setting is missing', async () => {
    const { NEXTCLOUD_PASSWORD: _left, ...settings } = CALL_SETTINGS
    world.settings = settings
    expectRefusal(await ann.api.post(PATH, { room_name: 'plans' }), 'Nextcloud Talk is not configured.')
  })
})
