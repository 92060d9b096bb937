import { describe, expect, it } from 'vitest'
import { markdownOfHtml } from '../../../src/model/incoming-mail/in-worker/markdown-of-html.ts'
import { ownWords } from '../../../src/model/incoming-mail/in-worker/own-words.ts'
import { hasMark, isForwarded, topicOfSubject } from '../../../src/model/incoming-mail/topic-of-subject.ts'

const NOTHING = { quotes: false, footer: false }
const words = (...lines: string[]) => ownWords(lines.join('\n'), NOTHING)
const ANSWER = ['Yes, let us do that.', '', 'At noon?']

describe('the sender’s own words in a mail', () => {
  it.each([
    [
      'Gmail',
      [
        'On Sat, Nov 21, 2026 at 11:02 AM Castle notifications <',
        'noreply@chat.example.com> wrote:',
        '',
        '> Ben:',
        '> shall we?',
        '>',
        '> -- ',
        '> Open the conversation: https://…',
      ],
    ],
    [
      'Apple Mail',
      [
        '> On 21. Nov 2026, at 11:02, Castle notifications <noreply@chat.example.com> wrote:',
        '> ',
        '> Ben:',
        '> shall we?',
      ],
    ],
    [
      'Thunderbird in German',
      ['Am 21.11.26 um 11:02 schrieb Castle notifications:', '> Ben:', '> soll ich?', '>', '> -- '],
    ],
    [
      'Gmail in French',
      [
        'Le sam. 21 nov. 2026 à 11:02, Castle <noreply@chat.example.com> a écrit :',
        '',
        '> Ben:',
        '> on y va ?',
      ],
    ],
    [
      'Outlook',
      [
        '________________________________',
        'From: Castle notifications <noreply@chat.example.com>',
        'Sent: Saturday, November 21, 2026 11:02',
        'To: Ann',
        'Subject: #general > lunch',
        '',
        'Ben:',
        'shall we?',
        '-- ',
        'Open the conversation',
      ],
    ],
    [
      'Outlook, older',
      [
        '-----Original Message-----',
        'From: Castle notifications',
        'Sent: Saturday',
        'To: Ann',
        '',
        'shall we?',
      ],
    ],
    [
      'Outlook in German',
      [
        'Von: Castle notifications <noreply@chat.example.com>',
        'Gesendet: Samstag, 21. November 2026 11:02',
        'An: Ann',
        'Betreff: #general > lunch',
        '',
        'Ben:',
        'soll ich?',
      ],
    ],
    ['a signature', ['-- ', 'Ann Example', 'Example Ltd.']],
    ['a telephone', ['Sent from my iPhone']],
    [
      'a telephone, and what it quotes',
      [
        'Sent from my iPhone',
        '',
        '> On 21 Nov 2026, at 11:02, Castle <a@b.example> wrote:',
        '> ',
        '> shall we?',
      ],
    ],
  ])('leave out quotations and signatures of %s', (_program, rest) => {
    expect(words(...ANSWER, '', ...rest)).toBe(ANSWER.join('\n'))
  })

  it('are found below the quotation', () => {
    expect(
      words(
        'On Sat, Nov 21, 2026 at 11:02 AM Ben <b@c.example> wrote:',
        '> shall we?',
        '> at noon?',
        '> or later?',
        '',
        'Yes.',
      ),
    ).toBe('Yes.')
  })

  it('are the whole mail when they stand between quoted lines', () => {
    const between = ['> shall we?', 'Yes.', '> at noon?', 'Rather later.']
    expect(words(...between)).toBe(between.join('\n'))
  })

  it('include a table that looks like a signature, and everything on request', () => {
    expect(words('a', '--', 'b', '--', 'c')).toBe('a\n--\nb\n--\nc')
    expect(ownWords('a\n-- \nb', { quotes: false, footer: true })).toBe('a\n-- \nb')
    expect(ownWords('a\n> b\n> c\n> d', { quotes: true, footer: false })).toBe('a\n> b\n> c\n> d')
    expect(words('Sent from my own will')).toBe('Sent from my own will')
  })

  it('are found in a long mail and beside a long quotation', () => {
    const quotation = Array.from({ length: 5_000 }, (_, at) => `> line ${at}`)
    expect(words('Yes.', '', 'Ben wrote on 2026-11-21:', ...quotation)).toBe('Yes.')
    expect(words('On Saturday Ben wrote:', ...quotation, '', 'Yes.')).toContain('Yes.')
    const own = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join('\n')
    expect(words(own)).toBe(own)
  })
})

describe('HTML of a mail', () => {
  it('becomes Markdown', () => {
    const html = `<html><head><title>T</title><style>p {}</style></head><body><p>Hello <b>all</b>,</p>
      <ul><li>one</li><li><a href="https://example.com/x">two</a></li></ul><p><a href="https://example.com/y">https://example.com/y</a>
      <a href="javascript:alert(1)">three</a><img src="https://spy.example/p.png" alt="spy"></p></body></html>`
    expect(markdownOfHtml(html)).toBe(
      'Hello **all**,\n\n* one\n* [two](https://example.com/x)\n\nhttps://example.com/y three',
    )
  })

  it.each([
    [
      'Gmail',
      '<div dir="ltr">Yes, <i>now</i>.</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 11:02 AM Castle &lt;<a href="mailto:a@b.example">a@b.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote"><p>Ben:</p><p>shall we?</p></blockquote></div>',
    ],
    [
      'Outlook',
      '<p class="MsoNormal">Yes, <i>now</i>.</p><div id="appendonsend"></div><hr style="width:98%"><div id="divRplyFwdMsg" dir="ltr"><font><b>From:</b> Castle &lt;a@b.example&gt;<br><b>Sent:</b> Saturday<br><b>To:</b> Ann<br><b>Subject:</b> X</font><div>&nbsp;</div></div><div>shall we?</div>',
    ],
    [
      'Apple Mail',
      '<div>Yes, <i>now</i>.</div><div><br><blockquote type="cite"><div>On 21. Nov 2026, at 11:02, Castle &lt;a@b.example&gt; wrote:</div><br><div>shall we?</div></blockquote></div>',
    ],
    [
      'Thunderbird',
      '<p>Yes, <i>now</i>.</p><div class="moz-cite-prefix">On 21.11.26 11:02, Castle wrote:<br></div><blockquote type="cite" cite="mid:x"><p>Ben:</p><p>shall we?</p></blockquote>',
    ],
  ])('loses the quotation of %s', (_program, html) => {
    expect(ownWords(markdownOfHtml(html), NOTHING)).toBe('Yes, *now*.')
  })

  it('may be nested 20,000 deep', () => {
    expect(markdownOfHtml(`${'<div>'.repeat(20_000)}deep`).length).toBeLessThan(100)
  })
})

describe('the topic from a mail’s subject', () => {
  it.each([
    ['Lunch', 'Lunch'],
    ['Re: Lunch', 'Lunch'],
    ['RE: AW: Re[2]: Fwd: Lunch', 'Lunch'],
    ['[Fwd: Lunch]', 'Lunch'],
    ['Regarding: lunch', 'Regarding: lunch'],
    [' \t Re:  ', 'Email with no subject'],
    ['', 'Email with no subject'],
    ['a\u0000b\r\n c', 'a b c'],
    ['x'.repeat(70), `${'x'.repeat(57)}...`],
  ])('for %j is %j', (subject, topic) => {
    expect(topicOfSubject(subject)).toBe(topic)
  })

  it('recognizes replies and forwarded mails by their prefixes', () => {
    expect([hasMark('Re: a'), hasMark('a'), isForwarded('Fwd: a'), isForwarded('Re: a')]).toEqual([
      true,
      false,
      true,
      false,
    ])
  })
})
