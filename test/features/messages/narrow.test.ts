import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, cleo, town, club } = useRealm(
  { ann: 'member', ben: 'member', cleo: 'member' },
  {
    channels: {
      town: { subscribers: ['ann', 'ben', 'cleo'], name: 'Town' },
      club: { subscribers: ['ann', 'ben'], name: 'Club', invite_only: true },
    },
  },
)
/** Messages by a name for what each is. */
let at: Record<
  | 'apples'
  | 'pears'
  | 'link'
  | 'resolved'
  | 'wildcard'
  | 'mention'
  | 'secret'
  | 'toBen'
  | 'toCleo'
  | 'group'
  | 'self',
  number
>

beforeAll(async () => {
  at = {
    apples: await sendTo(ann, town.id, 'Apples'),
    pears: await sendTo(ben, town.id, 'pears'),
    link: await sendTo(ann, town.id, 'pears', 'see https://example.com/page'),
    resolved: await sendTo(ann, town.id, '✔ done'),
    wildcard: await sendTo(ann, town.id, 'calls', '@**all** come'),
    mention: await sendTo(ann, town.id, 'calls', 'and @**Ben**'),
    secret: await sendTo(ann, club.id, 'apples'),
    toBen: await sendDirect(ann, [ben]),
    toCleo: await sendDirect(ben, [cleo]),
    group: await sendDirect(ann, [ben, cleo]),
    self: await sendDirect(ben, [ben]),
  }
})

/** Returns which of the known messages a user finds in a narrow. */
async function found(reader: TestUser, narrow: ParameterValue): Promise<string[]> {
  const names = new Map(Object.entries(at).map(([name, id]) => [id, name]))
  return (await idsIn(reader, narrow)).flatMap((id) => names.get(id) ?? [])
}

const negated = (operator: string, operand: ParameterValue) => [{ operator, operand, negated: true }]

describe('channel', () => {
  it('is named by name, whatever its case, or by id', async () => {
    const all = ['apples', 'pears', 'link', 'resolved', 'wildcard', 'mention']
    for (const operand of ['Town', 'town', town.id]) {
      for (const operator of ['channel', 'stream']) {
        expect(await found(ben, [{ operator, operand }])).toEqual(all)
      }
    }
    expect(await found(ben, [['channel', String(town.id)]])).toEqual(all)
  })

  it('negated: all one’s messages elsewhere', async () => {
    expect(await found(ben, negated('channel', 'Town'))).toEqual([
      'secret',
      'toBen',
      'toCleo',
      'group',
      'self',
    ])
  })

  it('hidden is refused as if missing; without content access it is empty', async () => {
    const fetch = { anchor: 'newest', num_before: 1, num_after: 1, narrow: [['channel', 'Club']] }
    expectRefusal(await cleo.api.get('/messages', fetch), 'Invalid narrow operator: unknown channel Club', {
      code: 'BAD_NARROW',
    })
    expect(await found(realm.owner, [['channel', 'Club']])).toEqual([])
  })

  it('unknown is an error', async () => {
    expectRefusal(
      await ben.api.get('/messages', { anchor: 'newest', narrow: [['channel', 'Nowhere']] }),
      'Invalid narrow operator: unknown channel Nowhere',
      { code: 'BAD_NARROW', desc: 'unknown channel Nowhere' },
    )
  })
})

describe('channels', () => {
  it('public: all public ones, web-public: none here', async () => {
    expect(await found(ben, [['channels', 'public']])).toEqual([
      'apples',
      'pears',
      'link',
      'resolved',
      'wildcard',
      'mention',
    ])
    expect(await found(ben, [['streams', 'web-public']])).toEqual([])
    expect(await found(ben, negated('channels', 'public'))).toContain('secret')
  })
})

describe('topic', () => {
  it('matches whatever its case, in all channels or in one', async () => {
    expect(await found(ben, [['topic', 'APPLES']])).toEqual(['apples', 'secret'])
    expect(
      await found(ben, [
        ['channel', 'Town'],
        ['topic', 'apples'],
      ]),
    ).toEqual(['apples'])
    expect(
      await found(ben, [
        ['channel', 'Town'],
        ['topic', 'never used'],
      ]),
    ).toEqual([])
  })

  it('negated: everything else, direct messages too', async () => {
    expect(await found(ben, negated('topic', 'pears'))).toEqual([
      'apples',
      'resolved',
      'wildcard',
      'mention',
      'secret',
      'toBen',
      'toCleo',
      'group',
      'self',
    ])
  })
})

describe('direct messages', () => {
  it('dm: one conversation, by ids or addresses, with oneself among them or not', async () => {
    for (const operand of [[ann.id], [ann.id, ben.id], ann.email, `${ann.email}, ${ben.email}`]) {
      for (const operator of ['dm', 'pm-with', 'pm_with']) {
        expect(await found(ben, [{ operator, operand }])).toEqual(['toBen'])
      }
    }
    expect(await found(ben, [{ operator: 'dm', operand: [ann.id, cleo.id] }])).toEqual(['group'])
    expect(await found(ben, [{ operator: 'dm', operand: [ben.id] }])).toEqual(['self'])
    expect(await found(ben, [{ operator: 'dm', operand: [] }])).toEqual([])
    expect(await found(ben, [{ operator: 'dm', operand: [realm.owner.id] }])).toEqual([])
  })

  it('of other people are never found', async () => {
    expect(await found(realm.owner, [['is', 'dm']])).toEqual([])
    expect(await found(cleo, [{ operator: 'dm', operand: [ann.id] }])).toEqual([])
    expect(await found(cleo, [['is', 'private']])).toEqual(['toCleo', 'group'])
  })

  it('dm-including: pairs and groups with a user; oneself: all', async () => {
    expect(await found(ben, [{ operator: 'dm-including', operand: ann.id }])).toEqual(['toBen', 'group'])
    expect(await found(ben, [['dm-including', cleo.email]])).toEqual(['toCleo', 'group'])
    expect(await found(ben, [{ operator: 'dm-including', operand: ben.id }])).toEqual([
      'toBen',
      'toCleo',
      'group',
      'self',
    ])
  })

  it('group-pm-with: groups only', async () => {
    expect(await found(ben, [{ operator: 'group-pm-with', operand: ann.id }])).toEqual(['group'])
  })

  it('is:dm, and negated', async () => {
    expect(await found(ben, [['is', 'dm']])).toEqual(['toBen', 'toCleo', 'group', 'self'])
    expect(await found(ben, negated('is', 'dm'))).not.toContain('toBen')
  })

  it('and channels exclude each other', async () => {
    for (const narrow of [
      [
        ['channel', 'Town'],
        ['is', 'dm'],
      ],
      [{ operator: 'dm', operand: [ann.id] }, ['topic', 'x']],
      [
        ['channels', 'public'],
        ['dm-including', ann.email],
      ],
    ]) {
      expectRefusal(
        await ben.api.get('/messages', { anchor: 'newest', narrow }),
        'Invalid narrow operator combination: No message can be both a channel message and direct message',
        { code: 'BAD_NARROW', desc: 'No message can be both a channel message and direct message' },
      )
    }
    expect(await found(ben, [['is', 'dm'], ...negated('channel', 'Town')])).toHaveLength(4)
  })
})

describe('sender, id, near, has', () => {
  it('sender: by id or address', async () => {
    for (const operand of [cleo.id, String(cleo.id), cleo.email]) {
      expect(await found(ben, [{ operator: 'sender', operand }])).toEqual([])
    }
    expect(await found(ben, [['sender', ben.email]])).toEqual(['pears', 'toCleo', 'self'])
    expect(await found(ben, negated('sender', ann.id))).toEqual(['pears', 'toCleo', 'self'])
  })

  it('id: that message, if one may see it', async () => {
    expect(await found(ben, [{ operator: 'id', operand: at.link }])).toEqual(['link'])
    expect(await found(ben, [['id', String(at.link)]])).toEqual(['link'])
    expect(await found(cleo, [{ operator: 'id', operand: at.secret }])).toEqual([])
  })

  it('near: changes no result', async () => {
    const everything = await found(ben, [])
    expect(await found(ben, [['near', '1']])).toEqual(everything)
    expect(everything).toEqual(Object.keys(at))
  })

  it('has: links, reactions', async () => {
    expectSuccess(await cleo.api.post(`/messages/${at.pears}/reactions`, { emoji_name: 'tada' }))
    expect(await found(ben, [['has', 'link']])).toEqual(['link'])
    expect(await found(ben, [['has', 'reaction']])).toEqual(['pears'])
    expect(await found(ben, [['has', 'image']])).toEqual([])
    expect(await found(ben, [['has', 'attachment']])).toEqual([])
    expect(await found(ben, negated('has', 'link'))).not.toContain('link')
  })
})

describe('is', () => {
  it('starred: one’s own stars, also on messages one did not receive', async () => {
    expectSuccess(
      await realm.owner.api.post('/messages/flags', { messages: [at.pears], op: 'add', flag: 'starred' }),
    )
    expect(await found(realm.owner, [['is', 'starred']])).toEqual(['pears'])
    expect(await found(realm.owner, [])).toEqual(['pears'])
    expect(await found(ben, [['is', 'starred']])).toEqual([])
    expect(
      await found(realm.owner, [
        ['is', 'starred'],
        ['channel', 'Club'],
      ]),
    ).toEqual([])
  })

  it('unread, and read as its negation', async () => {
    expectSuccess(await cleo.api.post('/mark_all_as_read'))
    expectSuccess(await cleo.api.post('/messages/flags', { messages: [at.link], op: 'remove', flag: 'read' }))
    expect(await found(cleo, [['is', 'unread']])).toEqual(['link'])
    const read = await found(cleo, negated('is', 'unread'))
    expect(read).toContain('pears')
    expect(read).not.toContain('link')
  })

  it('mentioned: personally or as one of all', async () => {
    expect(await found(ben, [['is', 'mentioned']])).toEqual(['wildcard', 'mention'])
    expect(await found(cleo, [['is', 'mentioned']])).toEqual(['wildcard'])
    expect(await found(realm.owner, [['is', 'mentioned']])).toEqual([])
    expect(await found(cleo, negated('is', 'mentioned'))).not.toContain('wildcard')
  })

  it('resolved: topics with the mark, the channel’s whole history included', async () => {
    expect(await found(ben, [['is', 'resolved']])).toEqual(['resolved'])
    expect(
      await found(realm.owner, [
        ['channel', 'Town'],
        ['is', 'resolved'],
      ]),
    ).toEqual(['resolved'])
  })

  it('followed and muted: by the user’s policies for topics', async () => {
    const set = (topic: string, visibility_policy: number) =>
      cleo.api.post('/user_topics', { stream_id: town.id, topic, visibility_policy })
    expectSuccess(await set('apples', 3))
    expectSuccess(await set('calls', 1))
    expect(await found(cleo, [['is', 'followed']])).toEqual(['apples'])
    expect(await found(cleo, [['is', 'muted']])).toEqual(['wildcard', 'mention'])
    expect(await found(cleo, [['in', 'home']])).toEqual([
      'apples',
      'pears',
      'link',
      'resolved',
      'toCleo',
      'group',
    ])
    expect(await found(cleo, [['in', 'all']])).toEqual(await found(cleo, []))
  })
})

describe('with', () => {
  it('replaces the conversation by the one that its message is in now', async () => {
    const moved = await sendTo(ann, town.id, 'old name')
    expectSuccess(
      await realm.owner.api.patch(`/messages/${moved}`, { topic: 'new name', propagate_mode: 'change_all' }),
    )
    const narrow = [
      { operator: 'channel', operand: 'Town' },
      { operator: 'topic', operand: 'old name' },
      { operator: 'with', operand: moved },
    ]
    expect(await idsIn(ben, narrow)).toContain(moved)
    expect(await idsIn(ben, [{ operator: 'with', operand: at.toBen }])).toEqual([at.toBen])
    expect(await found(ben, [{ operator: 'with', operand: at.pears }])).toEqual(['pears', 'link'])
  })

  it('is ignored for a hidden message when other terms name a conversation', async () => {
    const hidden = { operator: 'with', operand: at.secret }
    expect(await found(cleo, [['channel', 'Town'], ['topic', 'apples'], hidden])).toEqual(['apples'])
    expect(await found(cleo, [{ operator: 'dm', operand: [ben.id] }, hidden])).toEqual(['toCleo'])
    for (const narrow of [[hidden], [['channel', 'Town'], hidden]]) {
      expectRefusal(
        await cleo.api.get('/messages', { anchor: 'newest', narrow }),
        "Invalid narrow operator: Invalid 'with' operator",
        { code: 'BAD_NARROW', desc: "Invalid 'with' operator" },
      )
    }
  })

  it('may be given once', async () => {
    const narrow = [{ operator: 'with', operand: 1 }, ['with', '2']]
    expectRefusal(
      await ben.api.get('/messages', { anchor: 'newest', narrow }),
      "Invalid narrow operator combination: Duplicate 'with' operators.",
      { code: 'BAD_NARROW', desc: "Duplicate 'with' operators." },
    )
  })
})

describe('terms that make no sense', () => {
  it.each([
    ['channels', 'private', 'unknown channels operand private'],
    ['dm', [999], 'unknown user in [999]'],
    ['dm', 'nobody@example.com', 'unknown user in nobody@example.com'],
    ['dm-including', 999, 'unknown user 999'],
    ['sender', 'nobody@example.com', 'unknown user nobody@example.com'],
    ['id', 'one', 'Invalid message ID'],
    ['has', 'luck', "unknown 'has' operand luck"],
    ['has', 'toString', "unknown 'has' operand toString"],
    ['in', 'town', "unknown 'in' operand town"],
    ['is', 'fun', "unknown 'is' operand fun"],
    ['toString', 'x', 'unknown operator toString'],
  ] as [string, ParameterValue, string][])('%s:%s', async (operator, operand, desc) => {
    expectRefusal(
      await ben.api.get('/messages', { anchor: 'newest', narrow: [{ operator, operand }] }),
      `Invalid narrow operator: ${desc}`,
      { code: 'BAD_NARROW', desc },
    )
  })

  it.each([
    ['home', 'Invalid narrow[0]: Value error, dict or list required'],
    [['is', 'dm', 'x'], 'Invalid narrow[0]: Value error, element is not a string pair'],
    [['id', 5], 'Invalid narrow[0]: Value error, element is not a string pair'],
    [{ operator: 'is' }, 'Invalid narrow[0]: Value error, operand is missing'],
    [{ operand: 'dm' }, 'Invalid narrow[0]: Value error, operator is missing'],
    [{ operator: 'channel', operand: [1] }, 'operand is not a string or integer'],
    [{ operator: 'dm', operand: ['a'] }, 'operand is not a string or an integer list'],
    [{ operator: 'topic', operand: 5 }, 'operand is not a string'],
    [{ operator: 'search', operand: ' ' }, 'operand cannot be blank.'],
  ] as [ParameterValue, string][])('%j', async (term, msg) => {
    expectRefusal(await ben.api.get('/messages', { anchor: 'newest', narrow: [term] }), msg)
  })
})
