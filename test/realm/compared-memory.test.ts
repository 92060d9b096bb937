import { expect, it } from 'vitest'
import { inRealm } from '../support/inside.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

it('what the object has in memory is compared with what is stored', async () => {
  const { realm } = await buildRealm()
  await realm.anonymous.get('/server_settings')
  const found = await inRealm(realm, (object) => {
    const { parts } = object
    let stored = 0
    const read = () => {
      stored += 1
      return stored
    }
    const reader = {
      name: 'read',
      key: () => '',
      *read() {
        yield
        return read()
      },
    }
    for (let time = 1; time <= 2; time += 1) {
      parts.sql.kept('kept', read)
      object.change((tx) => tx.use(reader, undefined))
    }
    return world.memoryDiffers.splice(0)
  })
  expect(found).toEqual(['In memory as "kept": 1\nstored: 3', 'In memory as "read": 2\nstored: 4'])
})
