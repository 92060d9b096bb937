import { expect, it } from 'vitest'
import { WALK_BUDGETS } from '../../src/core/budgets.ts'
import { findChannel } from '../../src/domain/channels/channel-rows.ts'
import {
  listSubscribersOfChannels,
  subscribersOfChannels,
} from '../../src/domain/channels/visibility/visible-channels.ts'
import { joinAndAnnounce } from '../../src/domain/subscriptions/join-and-announce.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, enterChannels, enterUsers, inRealm, subscribe } from '../support/inside.ts'
import { useRealm } from '../support/use-realm.ts'

/** Together more rows than one turn reads. */
const PEOPLE = 1_500
const NAMES = Array.from({ length: 12 }, (_, at) => `large ${at}`)
const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

it('subscribers of somebody’s few large channels are read in turns, and follow changes', async () => {
  const channelIds = await enterChannels(realm, [...NAMES, 'another'])
  const people = (await enterUsers(realm, PEOPLE)).map(({ id }) => id)
  const [first, another] = [channelIds[0]!, channelIds.at(-1)!]
  await changeRealm(realm, (tx) => {
    for (const id of channelIds.slice(0, -1)) subscribe(tx, id, [ann.id, ...people])
    tx.forgetRemembered()
  })
  const { rows, found, rowsOfAnswer } = await inRealm(realm, async (object) => {
    const { sql, realm: identity, proxiesPictures, directory: remembered } = object.parts
    const view = { now: 0, sql: sql.counter(), realm: identity, proxiesPictures, remembered }
    const rows: number[] = []
    let before = 0
    const turn = async () => {
      rows.push(view.sql.counts.read - before)
      before = view.sql.counts.read
      object.change((tx) => {
        const join = (id: number, userIds: number[]) => ({ channel: findChannel(tx.sql, id)!, userIds })
        joinAndAnnounce(tx, rows.length === 1 ? [join(first, [ben.id]), join(another, [ann.id])] : [])
      })
    }
    const loaded = await listSubscribersOfChannels({ budgets: WALK_BUDGETS, turn }, view, ann.id)
    await turn()
    return object.change((tx) => {
      const before = tx.sql.counts.read
      const found = subscribersOfChannels(tx, channelIds, loaded)
      return { rows, found: new Map(found), rowsOfAnswer: tx.sql.counts.read - before }
    })
  })
  expect(rows.length).toBeGreaterThan(1)
  expect(Math.max(...rows)).toBeLessThan(36_000)
  expect(rowsOfAnswer).toBeLessThan(10_000)
  const { subscriptions } = expectSuccess(
    await ann.api.get('/users/me/subscriptions', { include_subscribers: true }),
  )
  const listed = new Map<number, number[]>(
    subscriptions.map(({ stream_id, subscribers }: { stream_id: number; subscribers: number[] }) => [
      stream_id,
      subscribers,
    ]),
  )
  for (const id of channelIds) expect(found.get(id)).toEqual(listed.get(id))
  expect(listed.get(first)).toContain(ben.id)
  expect(listed.get(another)).toEqual([ann.id])
})
