import type { MemorySlot, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { listKeyedDevices, usersWithKeyedDevices } from '../client-devices/client-device-rows.ts'
import type { NotificationOptions } from '../notifications/notification-cause.ts'
import { userSetting } from '../users/settings/user-setting-rows.ts'
import { findUser, findUsers, type User } from '../users/user-rows.ts'
import { listActiveDevices, usersWithActiveDevices } from './push-device-rows.ts'
import { listPushTokens, usersWithKnownTokens } from './push-token-rows.ts'
import { listWebPush, usersWithWebPush } from './web-push-rows.ts'

/**
 * Everybody with a device that notifications reach, in memory: few users, read for every message. Where there
 * are none, nothing else of this costs anything.
 */
export class PushListeners {
  readonly #options: Map<number, NotificationOptions>
  #version: string = crypto.randomUUID()

  /** Differs whenever anything else does, also from that of lists that were forgotten. */
  get version(): string {
    return this.#version
  }

  constructor(users: Iterable<User>) {
    this.#options = new Map(Array.from(users, (user) => [user.id, optionsOf(user)]))
  }

  get size(): number {
    return this.#options.size
  }

  get ids(): number[] {
    return [...this.#options.keys()]
  }

  has(userId: number): boolean {
    return this.#options.has(userId)
  }

  optionsOf(userId: number): NotificationOptions | undefined {
    return this.#options.get(userId)
  }

  put(user: User): void {
    this.#version = crypto.randomUUID()
    this.#options.set(user.id, optionsOf(user))
  }

  remove(userId: number): void {
    this.#version = crypto.randomUUID()
    this.#options.delete(userId)
  }

  /** Empties the list when there is no push service any more. */
  fallSilent(): void {
    this.#version = crypto.randomUUID()
    this.#options.clear()
  }
}

export const PUSH_LISTENERS: MemorySlot<PushListeners> = {
  name: 'push-listeners',
  load: (sql: Sql) => {
    const ids = new Set([
      ...usersWithKnownTokens(sql),
      ...usersWithActiveDevices(sql),
      ...usersWithKeyedDevices(sql),
      ...usersWithWebPush(sql),
    ])
    return new PushListeners(findUsers(sql, [...ids]).values())
  },
}

/** Updates a user's entry after a change of the user's devices. */
export function recountDevices(tx: RealmTransaction, userId: number): void {
  const listeners = tx.recallToChange(PUSH_LISTENERS)
  const isReached =
    listPushTokens(tx.sql, userId).some(({ state }) => state === 'known') ||
    listActiveDevices(tx.sql, userId).length > 0 ||
    listKeyedDevices(tx.sql, userId).length > 0 ||
    listWebPush(tx.sql, userId).length > 0
  if (isReached === listeners.has(userId)) return
  if (isReached) listeners.put(findUser(tx.sql, userId)!)
  else listeners.remove(userId)
}

/** Updates a user's entry after a change of the user's settings. */
export function retunePushes(tx: RealmTransaction, user: User): void {
  if (!tx.recall(PUSH_LISTENERS).has(user.id)) return
  tx.recallToChange(PUSH_LISTENERS).put(user)
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
