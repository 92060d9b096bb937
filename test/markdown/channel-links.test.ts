import { describe, expect, it } from 'vitest'
import {
  channelLink,
  directMessageNearLink,
  encodeNarrowOperand,
  messageNearLink,
  topicLink,
} from '../../src/markdown/message-links.ts'
import { describeCases, inParagraph } from './describe-cases.ts'

const channel = (id: number, slug: string, name: string): string =>
  `<a class="stream" data-stream-id="${id}" href="/#narrow/channel/${slug}">#${name}</a>`
const topic = (id: number, path: string, text: string): string =>
  `<a class="stream-topic" data-stream-id="${id}" href="/#narrow/channel/${path}">#${text}</a>`
const message = (path: string, text: string): string =>
  `<a class="message-link" href="/#narrow/channel/${path}">#${text} @ 💬</a>`

describeCases(
  'links to channels',
  inParagraph([
    ['#**announce**', channel(9, '9-announce', 'announce')],
    ['#**ANNOUNCE**', channel(9, '9-announce', 'announce')],
    ['#**mobile team**', channel(10, '10-mobile-team', 'mobile team')],
    ['#**Ünï. (code) 50%**', channel(15, '15-.C3.9Cn.C3.AF.2E-.28code.29-50.25', 'Ünï. (code) 50%')],
    ['#**nowhere**', '#<strong>nowhere</strong>'],
    ['(#**announce**)', `(${channel(9, '9-announce', 'announce')})`],
    ['x#**announce**', 'x#<strong>announce</strong>'],
    ['#announce', '#announce'],
    ['#*announce*', '#<em>announce</em>'],
    ['#**announce', '#**announce'],
    ['`#**announce**`', '<code>#**announce**</code>'],
    ['[#**announce**](/a)', '<a href="/a">#<strong>announce</strong></a>'],
  ]),
)

describeCases(
  'links to topics',
  inParagraph([
    [
      '#**announce>Zulip updates**',
      topic(9, '9-announce/topic/Zulip.20updates', 'announce &gt; Zulip updates'),
    ],
    ['#**announce>a.b/c(d)!**', topic(9, '9-announce/topic/a.2Eb.2Fc.28d.29.21', 'announce &gt; a.b/c(d)!')],
    ['#**announce>✔ done**', topic(9, '9-announce/topic/.E2.9C.94.20done', 'announce &gt; ✔ done')],
    ['#**announce>a>b**', topic(9, '9-announce/topic/a.3Eb', 'announce &gt; a&gt;b')],
    ['#**announce>**', topic(9, '9-announce/topic/', 'announce &gt; <em>general chat</em>')],
    ['#**a>b**', channel(14, '14-a.3Eb', 'a&gt;b')],
    ['#**announce>:smile: @x**', topic(9, '9-announce/topic/.3Asmile.3A.20.40x', 'announce &gt; :smile: @x')],
    ['#**nowhere>topic**', '#<strong>nowhere&gt;topic</strong>'],
    ['#**>topic**', '#<strong>&gt;topic</strong>'],
  ]),
)

describeCases(
  'links to messages',
  inParagraph([
    [
      '#**announce>Zulip updates@214**',
      message('9-announce/topic/Zulip.20updates/near/214', 'announce &gt; Zulip updates'),
    ],
    ['#**announce>@214**', message('9-announce/topic//near/214', 'announce &gt; <em>general chat</em>')],
    ['#**announce>a@b@3**', message('9-announce/topic/a.40b/near/3', 'announce &gt; a@b')],
    ['#**announce>a@b**', topic(9, '9-announce/topic/a.40b', 'announce &gt; a@b')],
    ['#**announce@214**', '#<strong>announce@214</strong>'],
  ]),
)

describeCases(
  'links to topics that the author may read',
  inParagraph([
    ['#**announce>a b**', topic(9, '9-announce/topic/a.20b/with/41', 'announce &gt; a b')],
    ['#**announce>**', topic(9, '9-announce/topic//with/41', 'announce &gt; <em>general chat</em>')],
    ['#**announce>a@7**', message('9-announce/topic/a/near/7', 'announce &gt; a')],
    ['#**announce>other**', topic(9, '9-announce/topic/other', 'announce &gt; other')],
  ]),
  { newestInTopic: (channelId, name) => (channelId === 9 && name !== 'other' ? 41 : undefined) },
)

describe('narrow links', () => {
  it.each([
    ['plain', 'plain'],
    ['a b', 'a.20b'],
    ['100%', '100.25'],
    ['v1.2', 'v1.2E2'],
    ["it's (!) *", 'it.27s.20.28.21.29.20.2A'],
    ['a-b_c~d', 'a-b_c~d'],
    ['é', '.C3.A9'],
    ['💬', '.F0.9F.92.AC'],
    ['a/b?c#d', 'a.2Fb.3Fc.23d'],
    ['\ud800', '.EF.BF.BD'],
  ])('%s is encoded as %s', (operand, encoded) => {
    expect(encodeNarrowOperand(operand)).toBe(encoded)
  })

  it('lead to channels, topics and messages', () => {
    const channel = { id: 378, name: 'api design' }
    expect(channelLink(channel)).toBe('/#narrow/channel/378-api-design')
    expect(topicLink(channel, 'notation for near links')).toBe(
      '/#narrow/channel/378-api-design/topic/notation.20for.20near.20links',
    )
    expect(messageNearLink(channel, '', 5)).toBe('/#narrow/channel/378-api-design/topic//near/5')
  })

  it('lead to direct messages', () => {
    expect(directMessageNearLink([4, 7], 9)).toBe('/#narrow/dm/4,7-dm/near/9')
    expect(directMessageNearLink([4, 7, 8], 9)).toBe('/#narrow/dm/4,7,8-group/near/9')
  })
})
