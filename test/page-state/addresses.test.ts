import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeNarrowOperand, messageNearLink } from '../../src/markdown/message-links.ts'
import {
  type Address,
  type AddressNames,
  decodeOperand,
  encodeOperand,
  type NarrowTerm,
  narrowKey,
  parseAddress,
  printAddress,
} from '../../web/state/index.ts'

const CHANNELS = new Map([
  [12, 'general'],
  [13, 'quoi de neuf ?'],
])

const names: AddressNames = {
  me: 9,
  channelNamed: (name) => [...CHANNELS].find(([, one]) => one === name.toLowerCase())?.[0],
  channelName: (id) => CHANNELS.get(id),
  userName: (id) => (id === 4 ? 'Ann Bee' : undefined),
}

describe('operands in addresses', () => {
  it('are encoded as the server encodes them in messages', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => encodeOperand(text) === encodeNarrowOperand(text),
      ),
    )
  })

  it('are decoded, also when a browser encoded them again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const encoded = encodeOperand(text)
        expect(decodeOperand(encoded)).toBe(text.toWellFormed())
        expect(decodeOperand(encodeURIComponent(encoded))).toBe(text.toWellFormed())
      }),
    )
  })

  it('that are invalid are no address', () => {
    expect(decodeOperand('.E0.A4')).toBeUndefined()
    expect(decodeOperand('%E0%A4')).toBeUndefined()
    expect(parseAddress('#narrow/channel/12-general/topic/.ZZ', names)).toMatchObject({ view: 'unknown' })
  })
})

describe('an address of the page', () => {
  it.each<[string, Address]>([
    ['', { view: 'home' }],
    ['#', { view: 'home' }],
    ['#inbox', { view: 'inbox' }],
    ['#recent', { view: 'recent' }],
    ['#feed', { view: 'narrow', narrow: [] }],
    ['#activity', { view: 'activity' }],
    ['#files', { view: 'files', narrow: [] }],
    [
      '#files/channel/12-general/has/image',
      {
        view: 'files',
        narrow: [
          { operator: 'channel', operand: 12 },
          { operator: 'has', operand: 'image' },
        ],
      },
    ],
    ['#files/what/else', { view: 'unknown', fragment: 'files/what/else' }],
    ['#settings/notifications', { view: 'settings', path: ['notifications'] }],
    ['#channels/12/general', { view: 'channels', path: ['12', 'general'] }],
    [
      '#narrow/channel/12-general/topic/lunch/near/345',
      {
        view: 'narrow',
        narrow: [
          { operator: 'channel', operand: 12 },
          { operator: 'topic', operand: 'lunch' },
        ],
        near: 345,
      },
    ],
    [
      '#narrow/stream/general/subject/caf.C3.A9.2E/with/7',
      {
        view: 'narrow',
        narrow: [
          { operator: 'channel', operand: 12 },
          { operator: 'topic', operand: 'café.' },
        ],
        with: 7,
      },
    ],
    [
      '#narrow/channel/12-general/topic/',
      {
        view: 'narrow',
        narrow: [
          { operator: 'channel', operand: 12 },
          { operator: 'topic', operand: '' },
        ],
      },
    ],
    [
      '#narrow/channel/12-general/topic//near/3',
      {
        view: 'narrow',
        narrow: [
          { operator: 'channel', operand: 12 },
          { operator: 'topic', operand: '' },
        ],
        near: 3,
      },
    ],
    ['#narrow/dm/7,4-group', { view: 'narrow', narrow: [{ operator: 'dm', operand: [4, 7] }] }],
    ['#narrow/pm-with/4,9-dm', { view: 'narrow', narrow: [{ operator: 'dm', operand: [4] }] }],
    ['#narrow/dm/9-me', { view: 'narrow', narrow: [{ operator: 'dm', operand: [9] }] }],
    ['#narrow/is/starred', { view: 'narrow', narrow: [{ operator: 'is', operand: 'starred' }] }],
    ['#narrow/-is/private', { view: 'narrow', narrow: [{ operator: 'is', operand: 'dm', negated: true }] }],
    ['#narrow/search/a+b.2Bc', { view: 'narrow', narrow: [{ operator: 'search', operand: 'a b+c' }] }],
    ['#narrow/sender/4-Ann', { view: 'narrow', narrow: [{ operator: 'sender', operand: 4 }] }],
    ['#narrow/with/7', { view: 'narrow', narrow: [], with: 7 }],
    ['#narrow/near/7', { view: 'narrow', narrow: [], near: 7 }],
    ['#narrow/stream/renamed-since/topic/lunch/near/7', { view: 'narrow', narrow: [], near: 7 }],
    ['#narrow/channel/nowhere', { view: 'unknown', fragment: 'narrow/channel/nowhere' }],
    ['#narrow/is/everything', { view: 'unknown', fragment: 'narrow/is/everything' }],
    ['#what/ever', { view: 'unknown', fragment: 'what/ever' }],
  ])('%s', (fragment, address) => {
    expect(parseAddress(fragment, names)).toEqual(address)
  })

  it('is written with ids and names', () => {
    const print = (fragment: string) => printAddress(parseAddress(fragment, names), names)
    expect(print('#narrow/stream/12/topic/lunch')).toBe('#narrow/channel/12-general/topic/lunch')
    expect(print('#narrow/channel/13')).toBe('#narrow/channel/13-quoi-de-neuf-.3F')
    expect(print('#narrow/dm/4,9-dm')).toBe('#narrow/dm/4-Ann-Bee')
    expect(print('#narrow/dm/7,4-group')).toBe('#narrow/dm/4,7-group')
  })

  it('of a message, as the server writes links, leads there', () => {
    const link = messageNearLink({ id: 12, name: 'general' }, 'a/b. ✔ c', 88)
    const { narrow, near } = parseAddress(link.replace(/^\//, ''), names) as Extract<
      Address,
      { view: 'narrow' }
    >
    expect(narrow).toEqual([
      { operator: 'channel', operand: 12 },
      { operator: 'topic', operand: 'a/b. ✔ c' },
    ])
    expect(near).toBe(88)
  })

  const id = fc.integer({ min: 1, max: 100_000 })
  const text = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((one) => one.trim() !== '' && one.isWellFormed())
  const term: fc.Arbitrary<NarrowTerm> = fc.oneof(
    fc.record({ operator: fc.constant('channel' as const), operand: id }, { noNullPrototype: true }),
    fc.record({ operator: fc.constant('topic' as const), operand: text }, { noNullPrototype: true }),
    fc.record(
      {
        operator: fc.constant('dm' as const),
        operand: fc
          .uniqueArray(id, { minLength: 1 })
          .map((ids) => ids.filter((one) => one !== 9).sort((a, b) => a - b)),
      },
      { noNullPrototype: true },
    ),
    fc.record(
      { operator: fc.constantFrom('sender' as const, 'id' as const), operand: id },
      { noNullPrototype: true },
    ),
    fc.record({ operator: fc.constant('search' as const), operand: text }, { noNullPrototype: true }),
    fc.record(
      {
        operator: fc.constant('is' as const),
        operand: fc.constantFrom('starred' as const, 'unread' as const),
      },
      { noNullPrototype: true },
    ),
  )

  it('of any narrow can be written and read back', () => {
    const narrows = fc.array(term.filter((one) => one.operator !== 'dm' || one.operand.length > 0))
    fc.assert(
      fc.property(narrows, fc.option(id, { nil: undefined }), (narrow, near) => {
        const address: Address = { view: 'narrow', narrow, ...(near === undefined ? {} : { near }) }
        if (narrow.length === 0 && near !== undefined) return
        expect(parseAddress(printAddress(address, names), names)).toEqual(address)
      }),
    )
  })
})

describe('the key of a narrow', () => {
  it('does not depend on the order of terms, nor on the case of a topic', () => {
    const one = narrowKey([
      { operator: 'channel', operand: 1 },
      { operator: 'topic', operand: 'Lunch' },
    ])
    const same = narrowKey([
      { operator: 'topic', operand: 'lunch' },
      { operator: 'channel', operand: 1 },
    ])
    const other = narrowKey([
      { operator: 'topic', operand: 'lunch', negated: true },
      { operator: 'channel', operand: 1 },
    ])
    expect(one).toBe(same)
    expect(one).not.toBe(other)
  })
})
