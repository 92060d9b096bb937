import { describe, expect, it } from 'vitest'
import {
  applyEvents,
  completeChannels,
  completeEmoji,
  completeGroups,
  completePeople,
  completeTopics,
  fitOf,
  hasWords,
  isUserNamed,
  learnSubscribers,
} from '../../web/state/index.ts'
import { buildDirectMessage, buildEvent, buildMessage, buildUser, ME, messageEvent, NOW } from './build.ts'
import { buildTeam } from './team.ts'

const names = (people: readonly { full_name: string }[]) => people.map(({ full_name }) => full_name)

describe('how well a text matches what was typed', () => {
  it.each([
    ['anna', 'Anna', 0],
    ['an', 'Anna', 1],
    ['smi', 'Anna Smith', 2],
    ['an sm', 'Anna Smith', 2],
    ['sm an', 'Anna Smith', undefined],
    ['nna', 'Anna', 3],
    ['garcia', 'José García', 2],
    ['x', 'Anna', undefined],
    ['太郎', '山田\u3000太郎', 2],
    ['山田 太', '山田\u3000太郎', 1],
    ['山田太郎', '山田\u3000太郎', 3],
    ['田太', '山田 太郎', 3],
    ['love', 'Ada\u00a0Lovelace', 2],
    ['ada\u3000love', 'Ada Lovelace', 1],
    ['Ａｄａ', 'Ada Lovelace', 1],
    ['ada', 'Ａｄａ　Ｌｏｖｅｌａｃｅ', 1],
    ['ﾔﾏﾀﾞ', 'ヤマダ　ハナコ', 1],
    ['ハナ', 'ﾔﾏﾀﾞ ﾊﾅｺ', 2],
    ['김철', '김 철수', 3],
    ['gross', 'Jürgen Groß', 2],
    ['dalove', 'Ada Lovelace', undefined],
  ])('%s, %s', (query, text, fit) => {
    expect(fitOf(text, query)).toBe(fit)
  })
})

describe('a filter of a list', () => {
  it.each([
    ['lovelace ada', 'Ada Lovelace', true],
    ['Ａｄａ　ｌｏｖｅ', 'Ada Lovelace', true],
    ['太郎\u3000山田', '山田 太郎', true],
    ['山田太郎', '山田\u3000太郎', true],
    [' \u3000', 'Ada', true],
    ['ada smith', 'Ada Lovelace', false],
  ])('%s, %s: %s', (typed, name, isFound) => {
    expect(hasWords(name, typed)).toBe(isFound)
    expect(isUserNamed(buildUser(2, { full_name: name, delivery_email: null }), typed)).toBe(isFound)
  })

  it('finds people by their address too', () => {
    const user = buildUser(2, { full_name: 'Ada', delivery_email: 'Countess@example.com' })
    expect([isUserNamed(user, 'ada countess'), isUserNamed(user, 'duchess')]).toEqual([true, false])
  })
})

describe('people', () => {
  it('are matched by prefix, then by substring, deactivated accounts never', () => {
    const state = buildTeam()
    expect(names(completePeople(state, 'ann'))).toEqual([
      'Anna Smith',
      'Anna Smith',
      'Annabel Lee',
      'Ann Robot',
      'Hanna Ode',
    ])
    expect(names(completePeople(state, 'an sm', { limit: 1 }))).toEqual(['Anna Smith'])
  })

  it('are sorted: recent senders here first, then subscribers', () => {
    const state = buildTeam()
    applyEvents(state, [messageEvent(buildMessage(20, { sender_id: 3 }))], NOW)
    learnSubscribers(state, 1, [5, 3])
    const where = { kind: 'topic', channelId: 1, topic: 'lunch' } as const
    const found = completePeople(state, 'ann', { where })
    expect(found.slice(0, 3).map(({ user_id }) => user_id)).toEqual([3, 5, 1])
  })

  it('are sorted: writers in the channel, then its subscribers, by the last direct message', () => {
    const state = buildTeam()
    applyEvents(
      state,
      [
        messageEvent(buildMessage(20, { sender_id: 2, subject: 'elsewhere' })),
        messageEvent(buildDirectMessage(21, [ME, 1], { sender_id: 1 })),
      ],
      NOW,
    )
    learnSubscribers(state, 1, [5, 1])
    const where = { kind: 'topic', channelId: 1, topic: 'lunch' } as const
    const ids = completePeople(state, '', { where }).map(({ user_id }) => user_id)
    expect(ids.slice(0, 4)).toEqual([2, 1, 5, 3])
    expect(ids.at(-1)).toBe(ME)
  })

  it('are found by words of their names in any order', () => {
    expect(names(completePeople(buildTeam(), 'garcia jo'))).toEqual(['José García'])
    expect(names(completePeople(buildTeam(), 'mith ann'))).toEqual(['Anna Smith', 'Anna Smith'])
  })

  it('are found by their address', () => {
    expect(names(completePeople(buildTeam(), 'person4@'))).toEqual(['José García'])
  })
})

describe('channels', () => {
  it('are sorted: pinned, subscribed, muted, others; archived ones are left out', () => {
    const found = completeChannels(buildTeam(), 'design').map(({ name }) => name)
    expect(found).toEqual(['dev design', 'design', 'Design review', 'designers', 'redesign'])
  })
})

describe('topics', () => {
  it('are sorted: followed, newest, muted', () => {
    const state = buildTeam()
    const policy = (topic_name: string, visibility_policy: number) =>
      buildEvent('user_topic', { stream_id: 1, topic_name, visibility_policy, last_updated: 1 })
    applyEvents(
      state,
      [
        ...['lunch', 'lunch box', 'lunch break', 'lunches'].map((subject, index) =>
          messageEvent(buildMessage(10 + index, { subject })),
        ),
        policy('LUNCH', 3),
        policy('lunches', 1),
      ],
      NOW,
    )
    expect(completeTopics(state, 1, 'lun')).toEqual(['lunch', 'lunch break', 'lunch box', 'lunches'])
  })
})

describe('groups', () => {
  it('are only those that the user may mention', () => {
    const state = buildTeam()
    const make = (id: number, name: string, facts = {}) =>
      buildEvent('user_group', {
        op: 'add',
        group: {
          id,
          name,
          description: '',
          members: [ME],
          direct_subgroup_ids: [],
          is_system_group: false,
          deactivated: false,
          can_mention_group: { direct_members: [ME], direct_subgroups: [] },
          ...facts,
        },
      })
    const others = { direct_members: [4], direct_subgroups: [] }
    applyEvents(
      state,
      [
        make(20, 'backend'),
        make(21, 'back office', { can_mention_group: others }),
        make(22, 'backers', { deactivated: true }),
        make(23, 'role:back', { is_system_group: true }),
      ],
      NOW,
    )
    expect(completeGroups(state, 'back').map(({ name }) => name)).toEqual(['backend'])
  })
})

describe('emoji', () => {
  const all = [
    { name: 'smile', code: '1f642', type: 'unicode_emoji' },
    { name: 'smiley', code: '1f603', type: 'unicode_emoji' },
    { name: 'big_smile', code: '1f604', type: 'unicode_emoji' },
    { name: 'smirk', code: '7', type: 'realm_emoji' },
    { name: 'simple_smile', code: '1f642', type: 'unicode_emoji' },
  ] as const

  it('are found by the beginnings of the words of their names, each once', () => {
    const found = (query: string, uses = new Map<string, number>()) =>
      completeEmoji(all, query, { uses }).map(({ name }) => name)
    expect(found('smi')).toEqual(['smirk', 'smile', 'smiley', 'big_smile'])
    expect(found('big smi')).toEqual(['big_smile'])
    expect(found('smiley')).toEqual(['smiley'])
    expect(found('smi', new Map([['1f604', 3]]))[0]).toBe('big_smile')
  })
})
