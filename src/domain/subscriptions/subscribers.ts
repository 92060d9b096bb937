import { defineReader, type ReadStore, type Steps } from '../../core/reader.ts'
import { closedUserIds } from '../users/user-id-rows.ts'
import { subscriberIdsWithClosed } from './subscription-rows.ts'

/** Ids of accounts, ascending: packed, since those of thousands of channels are kept. */
type SubscriberIds = Uint32Array

/** The present subscribers of a channel, closed accounts included: only a change of the channel's own subscriptions makes it old. */
const subscribers = defineReader({
  name: 'subscribers',
  key: String,
  *read({ sql }, channelId: number): Steps<SubscriberIds> {
    const ids = Uint32Array.from(subscriberIdsWithClosed(sql, channelId))
    yield
    return ids
  },
})

const closedAccounts = defineReader({
  name: 'closed accounts',
  key: () => '',
  *read({ sql }) {
    const closed = new Set(closedUserIds(sql))
    yield
    return closed
  },
})

/** Reads the present subscribers of a channel whose accounts are open. */
export function* openSubscribersOf(store: ReadStore, channelId: number): Steps<SubscriberIds> {
  const ids = yield* store.use(subscribers, channelId)
  const closed = yield* store.use(closedAccounts, undefined)
  return closed.size === 0 ? ids : ids.filter((id) => !closed.has(id))
}

/** The same of several channels, by channel. */
export const openSubscribers = defineReader({
  name: 'open subscribers',
  key: (channelIds: readonly number[]) => channelIds.join(),
  *read(store, channelIds) {
    const found = new Map<number, SubscriberIds>()
    for (const id of channelIds) found.set(id, yield* openSubscribersOf(store, id))
    return found
  },
})
