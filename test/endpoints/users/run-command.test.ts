import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, guest } = useRealm({ guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()

const run = ({ api }: Pick<TestUser, 'api'>, command: string) => api.post('/zcommand', { command })

describe('a slash command', () => {
  it('gets an empty answer when it is /ping, guests’ too', async () => {
    expect(expectSuccess(await run(guest, '/ping'))).toEqual({ result: 'success', msg: '' })
  })

  it.each([
    ['/dark', 'color_scheme', 2],
    ['/light', 'color_scheme', 3],
    ['/night', 'color_scheme', 2],
    ['/day', 'color_scheme', 3],
    ['/fluid-width', 'fluid_layout_width', true],
    ['/fixed-width', 'fluid_layout_width', false],
  ])('%s sets one’s own %s to %s', async (command, property, value) => {
    const [own, others] = [await openQueue(guest), await openQueue(realm.owner)]
    expectSuccess(await run(guest, command))
    expect(await own.eventsOf('user_settings')).toMatchObject([{ property, value }])
    expect(await others.events()).toEqual([])
    // Repeating the command changes nothing.
    expectSuccess(await run(guest, command))
    expect(await own.eventsOf('user_settings')).toEqual([])
  })

  it('is refused when unknown, to bots, and without credentials', async () => {
    expectRefusal(await run(guest, '/dance'), 'No such command: /dance')
    expectRefusal(await run(guest, 'ping'), 'No such command: ping')
    expectRefusal(await guest.api.post('/zcommand'), "Missing 'command' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
    const bot = await buildBot(realm, realm.owner)
    expectRefusal(await run(bot, '/ping'), 'This endpoint does not accept bot requests.')
    expectUnauthorized(await realm.anonymous.post('/zcommand', { command: '/ping' }))
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect((await run(gone, '/ping')).status).toBe(401)
    expect((await other.anonymous.post('/zcommand', { command: '/ping' })).status).toBe(401)
  })
})
