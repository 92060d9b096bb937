import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUsers,
  expectSuccess,
  type TestChannel,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { sendDirect } from '../../support/messages.ts'
import { expectSame, roundTrip } from '../../support/round-trip.ts'
import { seedRealm } from '../../support/seed.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(keepAlarmsAway)
afterEach(() => {
  world.settings = {}
})

const MINUTES = 60_000

/** One thing that a user does. Positions are taken modulo what there is. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    who: fc.nat(3),
    channel: fc.nat(2),
    topic: fc.constantFrom('', 'tea', 'Tea', 'ünïcode ✔', 'x'.repeat(60)),
    text: fc.constantFrom(
      'plain',
      '**bold** `@**code**` and\n\n* a list',
      '```quote\nsaid\n```\n~~gone~~',
      '@**all** #**room 1**',
      '/me waves',
      ':smile: 👍🏽 https://example.com/a_b_c',
      'line\r\nline\t\u00a0 end',
      '/poll Tea?\nyes\nno',
    ),
    mentions: fc.option(fc.nat(3)),
  }),
  fc.record({
    kind: fc.constant('direct' as const),
    who: fc.nat(3),
    others: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('react' as const),
    who: fc.nat(3),
    message: fc.nat(50),
    emoji: fc.constantFrom('smile', '+1', 'heart'),
  }),
  fc.record({
    kind: fc.constant('edit' as const),
    who: fc.nat(3),
    message: fc.nat(50),
    change: fc.constantFrom<Record<string, string>>(
      { content: 'better' },
      { content: 'best' },
      { topic: 'moved', propagate_mode: 'change_one' },
    ),
  }),
  fc.record({
    kind: fc.constant('flag' as const),
    who: fc.nat(3),
    message: fc.nat(50),
    flag: fc.constantFrom('starred', 'read'),
  }),
  fc.record({
    kind: fc.constant('enter' as const),
    who: fc.nat(3),
    message: fc.nat(50),
    entry: fc.constantFrom<object>(
      { type: 'vote', key: 'canned,0', vote: 1 },
      { type: 'vote', key: 'canned,0', vote: -1 },
      { type: 'new_option', option: 'maybe', idx: 1 },
    ),
  }),
  fc.record({
    kind: fc.constant('draft' as const),
    who: fc.nat(3),
    draft: fc.constantFrom('channel', 'direct', 'nowhere'),
    channel: fc.nat(2),
  }),
  fc.record({
    kind: fc.constant('permit' as const),
    channel: fc.nat(2),
    permission: fc.constantFrom('can_send_message_group', 'can_resolve_topics_group'),
    members: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('policy' as const),
    who: fc.nat(3),
    channel: fc.nat(2),
    policy: fc.constantFrom(1, 2, 3),
  }),
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

class History {
  readonly people: readonly TestUser[]
  readonly channels: readonly TestChannel[]
  readonly sent: number[] = []

  constructor(people: readonly TestUser[], channels: readonly TestChannel[]) {
    this.people = people
    this.channels = channels
  }

  async take(taken: Step): Promise<void> {
    const who = this.people['who' in taken ? taken.who : 0]!
    const message = 'message' in taken ? this.sent[taken.message % Math.max(this.sent.length, 1)] : undefined
    switch (taken.kind) {
      case 'send': {
        const channel = this.channels[taken.channel]!
        const mentioned = taken.mentions === null ? undefined : this.people[taken.mentions]
        const words = [
          taken.text,
          ...(mentioned
            ? [`@**${mentioned.fullName}|${mentioned.id}** @_**${mentioned.fullName}|${mentioned.id}**`]
            : []),
        ]
        const { body } = await who.api.post('/messages', {
          type: 'channel',
          to: channel.id,
          topic: taken.topic,
          content: words.join(' '),
        })
        // Not everybody may write in each channel.
        if (body.result === 'success') this.sent.push(body.id)
        return
      }
      case 'direct':
        this.sent.push(
          await sendDirect(
            who,
            taken.others.map((at) => this.people[at]!),
            'between us',
          ),
        )
        return
      case 'react':
        // Not everybody may read each message.
        if (message !== undefined)
          await who.api.post(`/messages/${message}/reactions`, { emoji_name: taken.emoji })
        return
      case 'edit':
        if (message !== undefined) await who.api.patch(`/messages/${message}`, taken.change)
        return
      case 'flag':
        if (message !== undefined)
          await who.api.post('/messages/flags', { messages: [message], op: 'add', flag: taken.flag })
        return
      case 'enter':
        // Only a poll takes entries.
        if (message !== undefined)
          await who.api.post('/submessage', {
            message_id: message,
            msg_type: 'widget',
            content: JSON.stringify(taken.entry),
          })
        return
      case 'draft': {
        const to = { channel: this.channels[taken.channel]!.id, direct: this.people[1]!.id, nowhere: 0 }
        const type = { channel: 'stream', direct: 'private', nowhere: '' }[taken.draft]
        const draft = { type, to: [to[taken.draft]].filter(Boolean), topic: 'tea', content: 'begun' }
        expectSuccess(await who.api.post('/drafts', { drafts: [draft] }))
        return
      }
      case 'permit': {
        const direct_members = taken.members.map((at) => this.people[at]!.id)
        const value = { new: { direct_members, direct_subgroups: [] } }
        expectSuccess(
          await who.api.patch(`/streams/${this.channels[taken.channel]!.id}`, { [taken.permission]: value }),
        )
        return
      }
      case 'policy': {
        const change = {
          stream_id: this.channels[taken.channel]!.id,
          topic: 'tea',
          visibility_policy: taken.policy,
        }
        expectSuccess(await who.api.post('/user_topics', change))
      }
    }
  }
}

async function historyIn(realm: TestRealm): Promise<History> {
  const { owner } = realm
  const people = [owner, ...(await buildUsers(realm, [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }]))]
  const channels = [
    await buildChannel(people, { name: 'room 1' }),
    await buildChannel(people, { name: 'room 2', invite_only: true }),
    await buildChannel(people, { name: 'room 3', invite_only: true, history_public_to_subscribers: false }),
  ]
  return new History(people, channels)
}

it(
  'Any history is the same after its way through an archive',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { realm } = await buildRealm()
        const history = await historyIn(realm)
        for (const taken of steps) await history.take(taken)
        expectSame(await roundTrip(realm))
      }),
      { numRuns: 4, endOnFailure: true },
    )
  },
  5 * MINUTES,
)

it(
  'Two thousand messages are the same after their way through an archive',
  async () => {
    const { realm } = await buildRealm()
    await seedRealm(realm, { users: 100, channels: 20, messages: 2_000 })
    const digests = await roundTrip(realm)
    expect(digests.before.sections.find(({ name }) => name === 'message')!.count).toBeGreaterThanOrEqual(
      2_000,
    )
    expectSame(digests)
  },
  20 * MINUTES,
)
