import { afterEach, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { captureLog } from '../../support/log-lines.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useRealm } from '../../support/use-realm.ts'
import { READ_ROWS, WHOLE_ROWS } from '../../support/whole-rows.ts'
import { world } from '../../support/world.ts'

neverEvict()
const { realm, ann } = useRealm({ ann: 'member' })
afterEach(() => {
  world.clockOffset = 0
})

const MINUTES = 8

it('a report of presence reads next to nothing, while people work', async () => {
  const people = [ann, ...(await insertUsers(realm, 24))]
  const [{ api }, reader] = people.slice(-2) as [typeof ann, typeof ann]
  const log = captureLog()
  const known = new Map<number, number>()
  for (let minute = 0; minute < MINUTES; minute += 1) {
    world.clockOffset += 60
    const { id } = expectSuccess(
      await api.post('/messages', { type: 'direct', to: [reader.id], content: `Hello ${minute}` }),
    )
    expectSuccess(await api.post('/typing', { op: 'start', to: [reader.id] }))
    expectSuccess(await reader.api.post('/messages/flags', { op: 'add', flag: 'read', messages: [id] }))
    expectSuccess(await reader.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await reader.api.post('/users/me/status', { status_text: `In minute ${minute}` }))
    expectSuccess(await api.post('/users/me/subscriptions', { subscriptions: [{ name: `at ${minute}` }] }))
    expectSuccess(await api.request('PATCH', '/settings', { full_name: `Person ${minute}` }))
    for (const user of people) {
      const last_update_id = known.get(user.id) ?? -1
      const report = { status: 'active', new_user_input: true, last_update_id }
      const { presence_last_update_id, presences } = expectSuccess(
        await user.api.post('/users/me/presence', report),
      )
      expect(Object.keys(presences)).toHaveLength(minute === 0 ? known.size + 1 : people.length)
      known.set(user.id, presence_last_update_id)
    }
  }
  const lines = log.lines('request').filter(({ operation }) => operation === 'update-presence')
  const sum = (name: string) => lines.reduce((rows, line) => rows + Number(line[name]), 0)
  expect(lines).toHaveLength(MINUTES * people.length)
  expect(sum('rows_read') / lines.length).toBeLessThanOrEqual(READ_ROWS['a report of presence'])
  const arrivals = people.length * WHOLE_ROWS['somebody arrives']
  const inAnHour = WHOLE_ROWS['an hour of presence, of up to 256 people']
  expect(sum('rows_written') - arrivals).toBeLessThanOrEqual((MINUTES * inAnHour) / 60 + 1)
})
