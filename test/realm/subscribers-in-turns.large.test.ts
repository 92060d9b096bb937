import { expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, enterChannels, enterUsers, subscribe } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedTurns } from '../support/watched-turns.ts'

// The object that is asked is the one whose turns are watched.
neverEvict()

/** Together more rows than one turn reads. */
const PEOPLE = 1_500
const NAMES = Array.from({ length: 12 }, (_, at) => `large ${at}`)
const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

it('subscribers of somebody’s few large channels are read in turns, and follow changes', async () => {
  const channelIds = await enterChannels(realm, [...NAMES, 'another'])
  const people = (await enterUsers(realm, PEOPLE)).map(({ id }) => id)
  await changeRealm(realm, (tx) => {
    for (const id of channelIds.slice(0, -1)) subscribe(tx, id, [ann.id, ...people])
  })
  const join = (name: string, principals: number[]) =>
    ann.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals })
  const { answer, turns, most } = await inWatchedTurns(
    realm,
    () => ann.api.get('/users/me/subscriptions', { include_subscribers: true }),
    async (turn) => {
      if (turn === 2) expectSuccess(await join(NAMES[0]!, [ben.id]))
      if (turn === 2) expectSuccess(await join('another', [ann.id]))
    },
  )
  expect(turns).toBeGreaterThan(2)
  expect(most).toBeLessThan(12_000)
  const listed = new Map<string, number[]>(
    expectSuccess(answer).subscriptions.map(
      ({ name, subscribers }: { name: string; subscribers: number[] }) => [name, subscribers],
    ),
  )
  const all = [ann.id, ...people].sort((a, b) => a - b)
  expect(listed.get(NAMES[1]!)).toEqual(all)
  expect(listed.get(NAMES[0]!)).toEqual([...all, ben.id].sort((a, b) => a - b))
  expect(listed.get('another')).toEqual([ann.id])
})
