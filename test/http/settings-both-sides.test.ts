import { describe, expect, it } from 'vitest'
import { BOTH_SIDES, settingsShownBy } from '../settings-table/table.ts'
import type { ParameterValue } from '../support/api.ts'
import { type Attempt, anew, during, isDone, type Settings } from '../support/both-sides.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { usePushRealm } from '../support/push-realm.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/**
 * Each setting with one value and with another, and the difference that it makes. Settings for which other tests show this are not here; the
 * table of settings (test/settings-table) names those tests. Permissions: permissions-both-sides.test.ts.
 */

const { realm, owner, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

neverEvict()
const setOwn = async (user: TestUser, settings: Settings) => {
  expectSuccess(await user.api.patch('/settings', settings))
}
const rendered = async (content: string): Promise<string> =>
  expectSuccess(await ann.api.post('/messages/render', { content })).rendered
const join = (user: TestUser, name: string, more: Settings = {}) =>
  user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more })
const post = (user: TestUser, to: number, content = 'x', topic = 'walls') =>
  user.api.post('/messages', { type: 'channel', to, topic, content })

const message = async (sender = owner, more: readonly TestUser[] = []) => {
  const channel = await buildChannel([owner, ann, ...more])
  return { channel, id: await sendTo(sender, channel.id, 'walls') }
}
const move =
  (id: number, to: Settings): Attempt =>
  () =>
    ann.api.patch(`/messages/${id}`, { propagate_mode: 'change_one', ...to })

/** A setting of the organization with two values, and what is seen with each. */
interface Sides {
  readonly values: readonly [ParameterValue, ParameterValue]
  readonly seen: readonly [unknown, unknown]
  /** Prepares what does not depend on the setting, and returns the look. */
  readonly look: () => Promise<() => Promise<unknown>>
}

const TWO_VALUES: Readonly<Record<string, Sides>> = {
  'realm description': {
    values: ['A *castle*', 'Another'],
    seen: ['<p>A <em>castle</em></p>', '<p>Another</p>'],
    look: async () => async () =>
      expectSuccess(await realm.anonymous.get('/server_settings')).realm_description,
  },
  'realm second_factor_required_for': {
    values: ['everybody', 'nobody'],
    seen: [401, 200],
    look: async () => async () => {
      const login = { username: ann.email, password: 'a fine password' }
      return (await realm.anonymous.post('/fetch_api_key', login)).status
    },
  },
  'realm require_unique_names': {
    values: [true, false],
    seen: [false, true],
    look: async () => {
      const cat = await buildUser(realm)
      return () => isDone(() => cat.api.patch('/settings', { full_name: ben.fullName }))
    },
  },
  'realm inline_image_preview': {
    values: [true, false],
    seen: [true, false],
    look: async () => async () => (await rendered('https://example.com/a.png')).includes('<img'),
  },
  'realm allow_message_editing': {
    values: [false, true],
    seen: [false, true],
    look: async () => {
      const { id } = await message(ann)
      return () => isDone(() => ann.api.patch(`/messages/${id}`, { content: anew('text') }))
    },
  },
  'realm default_language': {
    values: ['de', 'en'],
    seen: ['de', 'en'],
    look: async () => async () => {
      const account = await buildUser(realm)
      const client_capabilities = { notification_settings_null: true, user_settings_object: true }
      const params = { fetch_event_types: ['user_settings'], client_capabilities }
      return expectSuccess(await account.api.post('/register', params)).user_settings.default_language
    },
  },
  'realm default_code_block_language': {
    values: ['python', ''],
    seen: [true, false],
    look: async () => async () => (await rendered('```\nx\n```')).includes('data-code-language="Python"'),
  },
  'realm topics_policy': {
    values: ['disable_empty_topic', 'allow_empty_topic'],
    seen: [false, true],
    look: async () => {
      const { id } = await buildChannel([owner, ann])
      return () => isDone(() => post(ann, id, 'x', ''))
    },
  },
}

/** Limits of time: what Ann may still do with something that is 1,000 seconds old. */
const LIMITS: Readonly<Record<string, () => Promise<Attempt>>> = {
  'realm message_content_delete_limit_seconds': async () => {
    const { id } = await message(ann)
    return () => ann.api.delete(`/messages/${id}`)
  },
  'realm message_content_edit_limit_seconds': async () => {
    const { id } = await message(ann)
    return () => ann.api.patch(`/messages/${id}`, { content: 'other' })
  },
  'realm move_messages_within_stream_limit_seconds': async () =>
    move((await message()).id, { topic: 'moved' }),
  'realm move_messages_between_streams_limit_seconds': async () => {
    const { id } = await message()
    return move(id, { stream_id: (await buildChannel([owner, ann])).id })
  },
}

/** Settings with tests of their own form. */
const OTHERS: Readonly<Record<string, () => Promise<void>>> = {
  'user translate_emoticons': async () => {
    await setOwn(ann, { translate_emoticons: true })
    expect(await rendered(':)')).toContain('class="emoji')
    await setOwn(ann, { translate_emoticons: false })
    expect(await rendered(':)')).toBe('<p>:)</p>')
  },
  'user resolved_topic_notice_auto_read_policy': async () => {
    const noticeIsRead = async (resolved_topic_notice_auto_read_policy: string) => {
      const { channel, id } = await message(owner, [ben])
      const followed = { stream_id: channel.id, topic: 'walls', visibility_policy: 3 }
      expectSuccess(await ben.api.post('/user_topics', followed))
      await setOwn(ben, { resolved_topic_notice_auto_read_policy })
      expectSuccess(
        await owner.api.patch(`/messages/${id}`, { topic: '✔ walls', propagate_mode: 'change_all' }),
      )
      const { messages } = expectSuccess(
        await ben.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
      )
      expect(messages[0].content).toContain('has marked this topic as resolved')
      return messages[0].flags.includes('read')
    }
    expect(await noticeIsRead('always')).toBe(true)
    expect(await noticeIsRead('never')).toBe(false)
  },
  'subscription in_home_view': async () => {
    const channel = await buildChannel([ann])
    for (const value of [false, true]) {
      const subscription_data = [{ stream_id: channel.id, property: 'in_home_view', value }]
      expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data }))
      const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
      const own = subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channel.id)
      expect(own).toMatchObject({ in_home_view: value, is_muted: !value })
    }
  },
  'channel history_public_to_subscribers': async () => {
    for (const history_public_to_subscribers of [true, false]) {
      const channel = await buildChannel([owner], { invite_only: true, history_public_to_subscribers })
      const id = await sendTo(owner, channel.id, 'walls')
      expectSuccess(await join(owner, channel.name, { principals: [ann.id] }))
      expect(await isDone(() => ann.api.get(`/messages/${id}`))).toBe(history_public_to_subscribers)
    }
  },
  'channel topics_policy': async () => {
    const { id } = await buildChannel([owner, ann])
    const sendsWithout = async (topics_policy: string) => {
      expectSuccess(await owner.api.patch(`/streams/${id}`, { topics_policy }))
      return isDone(() => post(ann, id, 'x', ''))
    }
    expect(await sendsWithout('disable_empty_topic')).toBe(false)
    expect(await sendsWithout('allow_empty_topic')).toBe(true)
  },
  'realm new_stream_announcements_stream_id': async () => {
    const announcements = await buildChannel([owner])
    const announced = async () => {
      const name = anew('announced')
      expectSuccess(await join(owner, name, { announce: true }))
      const { messages } = expectSuccess(
        await owner.api.get('/messages', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: announcements.id }],
        }),
      )
      return messages.some(({ content }: { content: string }) => content.includes(name))
    }
    const to = (new_stream_announcements_stream_id: number) =>
      during(realm, { new_stream_announcements_stream_id }, announced)
    expect(await to(announcements.id)).toBe(true)
    expect(await to(-1)).toBe(false)
  },
}

/** Messages that notify Ben's phone, each with the setting of his that decides about it. */
const OF_DEVICES: Readonly<Record<string, { topic?: true; content: string }>> = {
  'user enable_followed_topic_push_notifications': { topic: true, content: 'Hello' },
  'user enable_followed_topic_wildcard_mentions_notify': { topic: true, content: '@**all**' },
  'user wildcard_mentions_notify': { content: '@**all**' },
}

describe('a setting of the organization', () => {
  it.each(Object.entries(TWO_VALUES))('%s', async (key, { values, seen, look }) => {
    const [, name] = key.split(' ')
    const see = await look()
    for (const at of [0, 1] as const) {
      expect(await during(realm, { [name!]: values[at] }, see)).toEqual(seen[at])
    }
  })
})

describe('a limit of time', () => {
  it.each(Object.entries(LIMITS))('%s', async (key, tries) => {
    const [, name] = key.split(' ')
    const attempt = await tries()
    world.clockOffset = 1_000
    expect(await during(realm, { [name!]: 600 }, () => isDone(attempt))).toBe(false)
    expect(await during(realm, { [name!]: 2_000 }, () => isDone(attempt))).toBe(true)
  })
})

describe('any other setting', () => {
  it.each(Object.entries(OTHERS))('%s', (_, show) => show())
})

describe('what a device is sent', () => {
  const org = usePushRealm()

  it.each(Object.keys(OF_DEVICES))('%s', async (key) => {
    const { topic, content } = OF_DEVICES[key]!
    const [, name] = key.split(' ')
    if (topic) await org.setForTopic(org.ben, 'walls', 3)
    const others = Object.fromEntries(
      Object.keys(OF_DEVICES).map((other): [string, boolean] => [other.split(' ')[1]!, false]),
    )
    for (const isOn of [true, false]) {
      await org.set(org.ben, { ...others, [name!]: isOn })
      expect(await org.notifiedOf(org.say(org.ann, content))).toEqual(isOn ? [org.ben.id] : [])
    }
  })
})

describe('both sides of a setting', () => {
  it('are shown for each that the table of settings names', () => {
    const shown = [TWO_VALUES, LIMITS, OTHERS, OF_DEVICES].flatMap(Object.keys)
    expect(shown.sort()).toEqual(settingsShownBy(BOTH_SIDES).sort())
  })
})
