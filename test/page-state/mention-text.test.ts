import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mentionText } from '../../src/markdown/mention-text.ts'
import type { AddressNames } from '../../web/state/index.ts'
import { linkTo, mentionOfGroup, mentionOfUser } from '../../web/state/mention-text.ts'
import { describeCases, inParagraph, rendered } from '../markdown/describe-cases.ts'

const parts = [
  '*',
  '`',
  '[',
  ']',
  '(',
  '$$',
  '&',
  '>',
  '<',
  '~~',
  '@',
  '7',
  ':',
  ':smile:',
  '<time:',
  'a',
  ' b',
  '\\',
  '🙂',
]
const name = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 }).map((some) => some.join(''))

const namesOf = (id: number, channel: string): AddressNames => ({
  me: 1,
  channelNamed: () => undefined,
  channelName: (other) => (other === id ? channel : undefined),
  userName: () => undefined,
})

describe('the page names things in messages as the server does', () => {
  it('channels and topics', () => {
    fc.assert(
      fc.property(name, fc.option(name, { nil: undefined }), (channel, topic) => {
        const names = namesOf(5, channel)
        const ours = linkTo({ stream_id: 5, name: channel }, topic, { names, emptyTopic: 'general chat' })
        const named = { channel: { id: 5, name: channel } }
        expect(ours).toBe(mentionText(topic === undefined ? named : { ...named, topic }))
      }),
    )
  })

  it('people and groups', () => {
    fc.assert(
      fc.property(name, fc.boolean(), (one, isSilent) => {
        const user = { user_id: 7, full_name: one }
        expect(mentionOfUser(user, { isSilent })).toBe(
          mentionText({ user: { id: 7, fullName: one }, notifies: !isSilent }),
        )
        expect(mentionOfGroup({ id: 3, name: one }, { isSilent: true })).toBe(
          mentionText({ group: { id: 3, name: one } }),
        )
      }),
    )
  })
})

describe('a mention that the page writes', () => {
  it.each([
    ['Ada', true, '@**Ada**'],
    ['Ada', false, '@**Ada|7**'],
    ['all', true, '@**all|7**'],
    ['topic', true, '@**topic|7**'],
    ['a*b', true, '@**|7**'],
  ])('of %s, alone in the name: %s, is %s', (full_name, isOnly, text) => {
    expect(mentionOfUser({ user_id: 7, full_name }, { isOnly })).toBe(text)
  })
})

describe('a link to a topic', () => {
  it('is one element with its text, whatever signs are in the names', () => {
    fc.assert(
      fc.property(name, name, (channel, topic) => {
        const text = mentionText({ channel: { id: 5, name: channel }, topic })
        const html = rendered(`to ${text}, then`, {
          channelNamed: (wanted) => (wanted === channel ? { id: 5, name: channel } : undefined),
        })
        expect(html).toMatch(
          /^<p>to <a [^>]*href="\/?#narrow\/channel\/5-[^"]*\/topic\/[^"]*">[^<]*(?:<span [^>]*>[^<]*<\/span>[^<]*)*<\/a>, then<\/p>$/,
        )
      }),
    )
  })
})

describeCases(
  'a topic of a channel comes before a channel that is named like both',
  inParagraph([
    [
      '#**announce>x**',
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/x">#announce &gt; x</a>',
    ],
  ]),
  { channelNamed: (name) => ({ id: name === 'announce' ? 9 : 8, name }) },
)
