import { beforeAll, describe, expect, it } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { idsIn, sendDirect, sendTo, untilProjected } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'
import { resetWorld, world } from '../../support/world.ts'

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['ann', 'ben'] } },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()
let sent: Record<'world' | 'tokyo' | 'short' | 'topic' | 'korean' | 'direct', number>

beforeAll(async () => {
  sent = {
    world: await sendTo(ann, room.id, 'greetings', 'Hello **World** & configuration'),
    tokyo: await sendTo(ann, room.id, '日本', '東京都に住んでいます'),
    short: await sendTo(ann, room.id, 'misc', 'OK c# is <fine>'),
    topic: await sendTo(ann, room.id, 'configs', 'nothing to see'),
    korean: await sendTo(ann, room.id, 'misc', '안녕하세요 여러분'),
    direct: await sendDirect(ann, [ben], 'the configuration of us two'),
  }
  await untilProjected(realm, Object.values(sent))
})

async function found(operand: string, reader: TestUser = ben, more: readonly ParameterValue[] = []) {
  const names = new Map(Object.entries(sent).map(([name, id]) => [id, name]))
  const ids = await idsIn(reader, [{ operator: 'search', operand }, ...more])
  return ids.flatMap((id) => names.get(id) ?? [])
}

/** Returns the messages that each of the searches finds. */
const CASES: [string, string[]][] = [
  ['world', ['world']],
  ['figur', ['world', 'direct']],
  ['CONFIG', ['world', 'topic', 'direct']],
  ['hello config', ['world']],
  ['config nothing', ['topic']],
  ['greetings nothing', []],
  ['"hello **world"', ['world']],
  ['"world hello"', []],
  ['東京', ['tokyo']],
  ['京都', ['tokyo']],
  ['都', ['tokyo']],
  ['日本', ['tokyo']],
  ['日本 東京', ['tokyo']],
  ['京東', []],
  ['녕하', ['korean']],
  ['ok', ['short']],
  ['c#', ['short']],
  ['<fine>', ['short']],
  ['is', ['short']],
  ['hel', ['world']],
  ['zebra', []],
]

describe('search', () => {
  it.each(CASES)('%s, when D1 has the messages', async (operand, expected) => {
    expect(await found(operand)).toEqual(expected)
  })

  it('finds messages right after sending, while D1 refuses writes, and after an eviction', async () => {
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 is down')) : call())
    const fresh = await sendTo(ann, room.id, 'fresh', '大阪 sandcastle')
    for (const operand of ['大阪', 'castle', '"大阪 sand"', 'fresh']) {
      expect(await idsIn(ben, [['search', operand]])).toEqual([fresh])
    }
    await evictRealm(realm.id)
    expect(await idsIn(ben, [['search', 'castle']])).toEqual([fresh])
    expect(await found('world')).toEqual(['world'])
    // After an eviction the object does not wait for its earlier retry time.
    resetWorld()
    await evictRealm(realm.id)
  })

  it('finds a message by its present text, not by earlier ones', async () => {
    const id = await sendTo(ann, room.id, 'edits', 'walrus')
    await untilProjected(realm, [id])
    expect(await idsIn(ben, [['search', 'walrus']])).toEqual([id])
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'pelican' }))
    expect(await idsIn(ben, [['search', 'walrus']])).toEqual([])
    expect(await idsIn(ben, [['search', 'pelican']])).toEqual([id])
    const after = await sendTo(ann, room.id, 'edits', 'later')
    await untilProjected(realm, [after])
    expect(await idsIn(ben, [['search', 'walrus']])).toEqual([])
    expect(await idsIn(ben, [['search', 'pelican']])).toEqual([id])
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect(await idsIn(ben, [['search', 'pelican']])).toEqual([])
  })

  it('finds a message by its present topic', async () => {
    const id = await sendTo(ann, room.id, 'gibbons', 'moving')
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { topic: 'lemurs' }))
    expect(await idsIn(ben, [['search', 'gibbons']])).not.toContain(id)
    expect(await idsIn(ben, [['search', 'lemurs moving']])).toEqual([id])
  })

  it('combines several search terms with other terms of the narrow', async () => {
    expect(await found('config', ben, [['search', 'nothing']])).toEqual(['topic'])
    expect(await found('config', ben, [['is', 'dm']])).toEqual(['direct'])
    expect(await found('config', ben, [['topic', 'configs']])).toEqual(['topic'])
  })

  it('negated: messages without it', async () => {
    const without = { operator: 'search', operand: 'config', negated: true }
    expect(await found('hello', ben, [without])).toEqual([])
    const rest = await idsIn(ben, [['channel', room.name], without])
    expect(rest).toContain(sent.tokyo)
    expect(rest).not.toContain(sent.world)
    expect(rest).not.toContain(sent.topic)
  })

  it('negated: many terms of few words, each of which needs all of its own', async () => {
    const without = (...operands: string[]) =>
      operands.map((operand) => ({ operator: 'search', operand, negated: true }))
    // Three words in four terms. No message has all those of the first three, whether in text or topic.
    const unlike = ['config zebra', 'zebra hello', 'zebra config hello']
    const found = async (terms: ParameterValue[], ids = Object.values(sent)) => {
      const narrow = [{ operator: 'search', operand: 'o' }, ...terms]
      const [by, among] = [await idsIn(ben, narrow), ben.api.get('/messages', { message_ids: ids, narrow })]
      expect(expectSuccess(await among).messages.map(({ id }: { id: number }) => id)).toEqual(
        by.filter((id) => ids.includes(id)),
      )
      return by.filter((id) => ids.includes(id))
    }
    const all = await found([])
    expect(await found(without(...unlike, 'zebra'))).toEqual(all)
    expect(await found(without(...unlike, 'config hello'))).toEqual(all.filter((id) => id !== sent.world))
    const terms = ['nothing config', 'config nothing see', 'see config', 'see nothing']
    expect(await found(without(...terms))).toEqual(all.filter((id) => id !== sent.topic))
  })

  it('negated: several terms, each in text and topic together', async () => {
    const without = (...operands: string[]) =>
      operands.map((operand) => ({ operator: 'search', operand, negated: true }))
    const found = async (...operands: string[]) => {
      const ids = await idsIn(ben, [['channel', room.name], ...without(...operands)])
      return Object.values(sent).filter((id) => ids.includes(id) || id === sent.direct)
    }
    const all = await found()
    expect(await found('config nothing', 'zebra')).toEqual(all.filter((id) => id !== sent.topic))
    expect(await found('config hello', '東京')).toEqual(
      all.filter((id) => id !== sent.world && id !== sent.tokyo),
    )
    expect(await found('config zebra', 'hello zebra')).toEqual(all)
    expect(await found('ok', '"world hello"')).toEqual(all.filter((id) => id !== sent.short))
  })

  it('negated: reads the topics of the messages that it looks at, and no others', async () => {
    const TOPICS = 3_000
    const ask = () =>
      countRows(ben.api, 'GET', '/messages', {
        anchor: 'newest',
        num_before: 20,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'zebra', negated: true }],
      })
    await changeRealm(realm, ({ sql }) => {
      for (let at = 0; at < TOPICS; at += 1)
        sql.run(`INSERT INTO topic (channel_id, name, name_key) VALUES (?1, ?2, ?2)`, room.id, `zebra ${at}`)
    })
    const { object } = await ask()
    expect(object.read).toBeLessThan(200)
  })

  it('negated: also among more pending texts than one turn can hold', async () => {
    world.d1 = (call, kind) => (kind === 'batch' ? Promise.reject(new Error('D1 is down')) : call())
    const long = ':+1: '.repeat(1_900)
    const ids: number[] = []
    for (const word of ['', 'walnut', '', '', '', '', '', '', 'walnut', '']) {
      ids.push(await sendTo(ann, room.id, 'nuts', `${word} ${long}`))
    }
    const without = { operator: 'search', operand: 'walnut', negated: true }
    const found = await idsIn(ben, [['channel', room.name], ['topic', 'nuts'], without])
    expect(found).toEqual(ids.filter((_, at) => at !== 1 && at !== 8))
    resetWorld()
    await evictRealm(realm.id)
  })

  it('finds nothing that the searcher may not see', async () => {
    expect(await found('configuration', realm.owner)).toEqual([])
    const secret = await sendDirect(ann, [realm.owner], 'okapi')
    expect(await idsIn(ben, [['search', 'okapi']])).toEqual([])
    expect(await idsIn(ann, [['search', 'okapi']])).toEqual([secret])
    expect(await idsIn(stranger, [['search', 'okapi']])).toEqual([])
  })

  it('finds the whole history of a channel that is named', async () => {
    expect(await found('world', realm.owner)).toEqual([])
    expect(await found('world', realm.owner, [['channel', room.name]])).toEqual(['world'])
  })

  it('sets found_oldest and found_newest', async () => {
    const many: number[] = []
    for (let n = 0; n < 6; n += 1) many.push(await sendTo(ann, room.id, 'herd', `gnu number ${n}`))
    const ask = async (params: Record<string, ParameterValue>) => {
      const { messages, found_anchor, found_oldest, found_newest } = expectSuccess(
        await ben.api.get('/messages', { narrow: [['search', 'gnu number']], ...params }),
      )
      return {
        at: messages.map(({ id }: { id: number }) => many.indexOf(id)),
        found: [found_anchor, found_oldest, found_newest],
      }
    }
    expect(await ask({ anchor: 'newest', num_before: 2 })).toEqual({
      at: [4, 5],
      found: [false, false, true],
    })
    expect(await ask({ anchor: many[2]!, num_before: 1, num_after: 1 })).toEqual({
      at: [1, 2, 3],
      found: [true, false, false],
    })
    expect(await ask({ anchor: many[2]!, num_before: 9, num_after: 9 })).toEqual({
      at: [0, 1, 2, 3, 4, 5],
      found: [true, true, true],
    })
    expectSuccess(
      await ben.api.post('/messages/flags', { messages: many.slice(0, 3), op: 'add', flag: 'read' }),
    )
    expect(await ask({ anchor: 'first_unread', num_before: 1, num_after: 1 })).toEqual({
      at: [2, 3, 4],
      found: [true, false, false],
    })
  })

  it('can filter messages given by ids', async () => {
    const ids = [sent.world, sent.tokyo, sent.topic]
    const { messages } = expectSuccess(
      await ben.api.get('/messages', { message_ids: ids, narrow: [['search', 'config']] }),
    )
    expect(messages.map(({ id }: { id: number }) => id)).toEqual([sent.world, sent.topic])
  })
})

describe('matches', () => {
  async function marked(operand: string, id: number, params: Record<string, ParameterValue> = {}) {
    const { messages } = expectSuccess(
      await ben.api.get('/messages', { anchor: id, narrow: [['search', operand]], ...params }),
    )
    const { match_content, match_subject } = messages[0]
    return [match_content, match_subject]
  }

  it('are marked in rendered content and topic, and nowhere in tags', async () => {
    expect(await marked('WORLD con', sent.world)).toEqual([
      '<p>Hello <strong><span class="highlight">World</span></strong> &amp; <span class="highlight">con</span>figuration</p>',
      'greetings',
    ])
    expect(await marked('config', sent.topic)).toEqual([
      '<p>nothing to see</p>',
      '<span class="highlight">config</span>s',
    ])
    expect(await marked('<fine', sent.short, { apply_markdown: false })).toEqual([
      '<p>OK c# is <span class="highlight">&lt;fine</span>&gt;</p>',
      'misc',
    ])
    const strong = await sendTo(ann, room.id, '<b>', 'a **strong** word')
    expect(await marked('strong', strong)).toEqual([
      '<p>a <strong><span class="highlight">strong</span></strong> word</p>',
      '&lt;b&gt;',
    ])
  })

  it('are absent from a narrow without a search', async () => {
    const { messages } = expectSuccess(await ben.api.get('/messages', { anchor: sent.world }))
    expect(messages[0]).not.toHaveProperty('match_content')
  })
})
