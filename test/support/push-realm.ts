import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { ParameterValue } from './api.ts'
import { buildChannel, expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { BOUNCER_SETTINGS, PushBouncer } from './push-bouncer.ts'
import { deliverPushes, insertDevice } from './push-devices.ts'
import { buildRealm } from './use-realm.ts'
import { world } from './world.ts'

type Fields = Record<string, ParameterValue>

/** An organization for tests of notifications: Ben has a phone, and all are in one channel. */
class PushRealm {
  readonly bouncer = new PushBouncer()
  realm!: TestRealm
  ann!: TestUser
  ben!: TestUser
  cat!: TestUser
  phone!: string
  channel!: { id: number; name: string }

  /** Creates another organization; the bouncer stays. */
  async build(): Promise<void> {
    const { realm, ann, ben, cat } = await buildRealm(
      { ann: 'member', ben: 'member', cat: 'member' },
      { name: 'Castle' },
    )
    Object.assign(this, { realm, ann, ben, cat })
    this.phone = await insertDevice(this.realm, this.ben)
    await this.openChannel()
  }

  /** Creates another channel, and deletes the bouncer's record of requests. */
  async openChannel(): Promise<void> {
    this.channel = await buildChannel([this.realm.owner, this.ann, this.ben, this.cat])
    await this.deliver()
    this.bouncer.forgetRequests()
  }

  deliver(seconds?: number): Promise<void> {
    return deliverPushes(this.realm, seconds)
  }

  async send(user: TestUser, fields: Fields): Promise<number> {
    return expectSuccess(await user.api.post('/messages', { content: 'Hello', ...fields })).id
  }

  say(user: TestUser, content = 'Hello', topic = 'walls'): Promise<number> {
    return this.send(user, { type: 'channel', to: this.channel.id, topic, content })
  }

  write(user: TestUser, to: readonly TestUser[], content = 'Hello'): Promise<number> {
    return this.send(user, { type: 'direct', to: to.map(({ id }) => id), content })
  }

  /** Returns the ids of the users whose devices are notified of a message, once all notifications are delivered. */
  async notifiedOf(message: Promise<number> | number): Promise<number[]> {
    const id = await message
    await this.deliver()
    return this.bouncer.notified.filter(([, messageId]) => messageId === id).map(([userId]) => userId)
  }

  async set(user: TestUser, settings: Fields): Promise<void> {
    expectSuccess(await user.api.patch('/settings', settings))
  }

  async setForChannel(user: TestUser, property: string, value: boolean): Promise<void> {
    const subscription_data = [{ stream_id: this.channel.id, property, value }]
    expectSuccess(await user.api.post('/users/me/subscriptions/properties', { subscription_data }))
  }

  async setForTopic(user: TestUser, topic: string, visibility_policy: number): Promise<void> {
    const fields = { stream_id: this.channel.id, topic, visibility_policy }
    expectSuccess(await user.api.post('/user_topics', fields))
  }

  async edit(user: TestUser, id: number, changes: Fields): Promise<void> {
    expectSuccess(await user.api.patch(`/messages/${id}`, changes))
  }

  async read(user: TestUser, messages: readonly number[]): Promise<void> {
    expectSuccess(await user.api.post('/messages/flags', { messages, op: 'add', flag: 'read' }))
  }
}

/** Builds one organization for all tests of a file, each of which has a channel of its own. */
export function usePushRealm(): PushRealm {
  const org = new PushRealm()
  const open = () => {
    org.bouncer.open()
    world.settings = BOUNCER_SETTINGS
    vi.spyOn(console, 'error').mockImplementation(() => {})
  }
  beforeAll(async () => {
    open()
    await org.build()
  })
  beforeEach(async () => {
    open()
    await org.openChannel()
  })
  afterEach(async () => {
    expectSuccess(await org.ben.api.post('/mark_all_as_read'))
    await org.deliver()
    vi.restoreAllMocks()
    org.bouncer.close()
  })
  return org
}
