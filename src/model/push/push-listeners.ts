import { defineReader, type Steps } from '../../core/reader.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { usersWithKeyedDevices } from '../../store/client-devices/client-device-rows.ts'
import { usersWithActiveDevices } from '../../store/push/push-device-rows.ts'
import { usersWithKnownTokens } from '../../store/push/push-token-rows.ts'
import { usersWithWebPush } from '../../store/push/web-push-rows.ts'
import { type Subscription, subscriptionsAmong } from '../../store/subscriptions/subscription-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import { listUsersOfBlock } from '../../store/users/user-block-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { blockOfUser } from '../../store/users/user-subjects.ts'
import type { NotificationOptions } from '../notifications/notification-cause.ts'

/** Ways to phones lead through a service. */
interface Ways {
  readonly hasService: boolean
}

/** The users with a device that notifications reach, read for every message. Without any, nothing else is read. */
const peopleWithDevice = defineReader({
  name: 'people with a device',
  key: ({ hasService }: Ways) => `${hasService}`,
  *read({ sql }, { hasService }): Steps<ReadonlySet<number>> {
    const people = new Set<number>()
    const ofPhones = hasService ? [usersWithKnownTokens, usersWithActiveDevices, usersWithKeyedDevices] : []
    for (const list of [usersWithWebPush, ...ofPhones]) {
      for (const id of list(sql)) people.add(id)
      yield
    }
    return people
  },
})

/** The notification settings of the users of a block. */
const optionsInBlock = defineReader({
  name: 'push options in a block',
  key: (block: number) => `${block}`,
  *read({ sql }, block) {
    const users = listUsersOfBlock(sql, block)
    yield
    return new Map(users.map((user) => [user.id, optionsOf(user)]))
  },
})

interface InChannel extends Ways {
  readonly channelId: number
}

const keyInChannel = ({ channelId, hasService }: InChannel) => `${channelId} ${hasService}`

const subscribersWithDevice = defineReader({
  name: 'subscribers with a device',
  key: keyInChannel,
  *read(store, { channelId, ...ways }: InChannel): Steps<ReadonlyMap<number, Subscription>> {
    const people = [...(yield* store.use(peopleWithDevice, ways))]
    const subscriptions = subscriptionsAmong(store.sql, channelId, people)
    yield
    return new Map([...subscriptions].filter(([, { isActive }]) => isActive))
  },
})

/** The users who are notified of every message of the channel. */
const alwaysConcerned = defineReader({
  name: 'subscribers whose devices hear of everything',
  key: keyInChannel,
  *read(store, inChannel: InChannel): Steps<readonly number[]> {
    const concerned: number[] = []
    for (const [userId, { pushNotifications }] of yield* store.use(subscribersWithDevice, inChannel)) {
      const isInherited = pushNotifications === null
      const options = isInherited ? yield* store.use(optionsInBlock, blockOfUser(userId)) : undefined
      if (options?.get(userId)?.channels ?? pushNotifications) concerned.push(userId)
    }
    return concerned
  },
})

export function listeners(tx: RealmReads): ReadonlySet<number> {
  return tx.use(peopleWithDevice, { hasService: tx.sendsPushes() })
}

/** Returns the subscribers of a channel with a device, and those of them who want to hear of everything there. */
export function listenersIn(tx: RealmReads, channelId: number) {
  const inChannel = { channelId, hasService: tx.sendsPushes() }
  const subscribers = tx.use(subscribersWithDevice, inChannel)
  return { subscribers, alwaysConcerned: subscribers.size > 0 ? tx.use(alwaysConcerned, inChannel) : [] }
}

export function pushOptionsOf(tx: RealmReads, userId: number): NotificationOptions {
  return tx.use(optionsInBlock, blockOfUser(userId)).get(userId)!
}

function optionsOf(user: User): NotificationOptions {
  return {
    personal: userSetting(user, 'enable_offline_push_notifications'),
    channels: userSetting(user, 'enable_stream_push_notifications'),
    wildcards: userSetting(user, 'wildcard_mentions_notify'),
    followedTopics: userSetting(user, 'enable_followed_topic_push_notifications'),
    followedWildcards: userSetting(user, 'enable_followed_topic_wildcard_mentions_notify'),
  }
}
