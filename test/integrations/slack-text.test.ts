import * as fc from 'fast-check'
import { parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { Payload } from '../../src/integrations/payload.ts'
import { ofAttachments, ofBlocks } from '../../src/integrations/slack/blocks.ts'
import { emojiNamed, NO_NAMES, type SlackNames } from '../../src/integrations/slack/emoji.ts'
import { markdownOf } from '../../src/integrations/slack/mrkdwn.ts'
import { rendered } from '../markdown/describe-cases.ts'

const NAMES: SlackNames = {
  ...NO_NAMES,
  user: (id) => `@_**ref/${id}**`,
  channel: (id, label) => (id === 'C1' ? '#**ref/C1**' : `#${label || id}`),
  address: (url) => (url.includes('/archives/C1/') ? 'ref/message' : undefined),
  hasEmoji: (name) => name === 'party_parrot',
}

const text = (mrkdwn: string) => markdownOf(mrkdwn, NAMES)
const rich = (...elements: unknown[]) => ofBlocks([new Payload({ type: 'rich_text', elements })], NAMES)
const section = (...elements: unknown[]) => rich({ type: 'rich_text_section', elements })
const said = (written: string, style?: object) => ({ type: 'text', text: written, ...(style && { style }) })

/** Rules of Slack's markup: what was typed, as its archives have it, and what it becomes. */
const MARKUP: Readonly<Record<string, readonly (readonly [slack: string, markdown: string])[]>> = {
  'Emphasis is at the borders of words alone': [
    ['*bold* _italic_ ~struck~', '**bold** *italic* ~~struck~~'],
    ['*_both_* and _*both*_', '***both*** and ***both***'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2&#42;3&#42;4'],
    ['(*a*), "_b_"!', '(**a**), "*b*"!'],
    ['a * not bold * and _ not _', 'a * not bold * and _ not _'],
    ['sign here: _____', 'sign here: _____'],
    ['*one\ntwo*', '&#42;one\ntwo&#42;'],
    ['_a_b_', '*a_b*'],
    ['*unfinished', '&#42;unfinished'],
    ['**', '&#42;&#42;'],
  ],
  'Nothing in code is markup, and a fence is longer than those inside': [
    ['`*a* &lt;b&gt; &amp;`', '`*a* <b> &`'],
    ['run ```x = *1*``` now', 'run\n```\nx = *1*\n```\nnow'],
    ['```\n:smile: <https://a.example|a.example>\n```', '```\n:smile: a.example\n```'],
    ['``', '&#96;&#96;'],
    ['```unfinished', '&#96;&#96;&#96;unfinished'],
  ],
  'Quotations end where they ended': [
    ['&gt; one\n&gt;two\nthree', '> one\n> two\n\nthree'],
    ['a\n&gt;&gt;&gt; b\nc', 'a\n> b\n> c'],
    ['1 &gt; 0', '1 > 0'],
  ],
  'Links keep their texts, and nothing breaks out of them': [
    ['<https://a.example/x_y_z>', 'https://a.example/x_y_z'],
    ['<https://a.example/?a=1&amp;b=2|A &amp; B>', '[A &amp; B](https://a.example/?a=1&b=2)'],
    ['<https://a.example/a_(b)|l]a[b>', '[l&#93;a&#91;b](https://a.example/a_%28b%29)'],
    ['<https://a.example>s', '[https://a.example](https://a.example/)s'],
    ['<mailto:a@b.example|a@b.example> <tel:+1|+1>', 'a@b.example +1'],
    ['<javascript:alert(1)|x>', 'x (javascript:alert(1))'],
    ['<https://t.slack.com/archives/C1/p1|there>', '[there](ref/message)'],
  ],
  'Mentions notify nobody': [
    ['<@U1> <@U2|eve>', '@_**ref/U1** @_**ref/U2**'],
    ['<#C1> <#C1|general> <#C9|secret>', '#**ref/C1** #**ref/C1** #secret'],
    ['<!here> <!channel|@channel> <!everyone>', '@here @channel @everyone'],
    ['<!subteam^S1|@ops>', '@ops'],
    ['@**all** @_**Ada|1**', '@&#42;&#42;all&#42;&#42; @_&#42;&#42;Ada|1&#42;&#42;'],
  ],
  'Dates are shown in the zone of each reader': [
    ['<!date^1392734382^{date} at {time}|18 Feb>', '<time:2014-02-18T14:39:42Z>'],
    ['<!date^soon^{date}|18 Feb>', '18 Feb'],
    ['&lt;time:2014-02-18T14:39:42Z&gt;', '&lt;time:2014-02-18T14:39:42Z>'],
  ],
  'Emoji have our names, and no skin tones': [
    [':+1: :thumbsup::skin-tone-3: :party_parrot:', ':+1: :+1: :party_parrot:'],
    [':woman-running: :flag-de: at 10:30:45', ':woman_running: :flag_germany: at 10:30:45'],
  ],
  'Lists of bullets stay lists, with their levels': [
    ['• a\n    ◦ b\n        ▪︎ c\n• d', '* a\n  * b\n    * c\n* d'],
    ['- a\n1. b', '- a\n1. b'],
    ['• a\n• b\nok?\nyes', '* a\n* b\n\nok?\nyes'],
    ['1. a\n  b\nc\n\n- d', '1. a\n  b\n\nc\n\n- d'],
  ],
  'Signs that are markup here alone are shown as they were typed': [
    ['# no heading\n+ 5', '&#35; no heading\n&#43; 5'],
    ['[a](b) $$x$$ a~~b~~', '[a]&#40;b) &#36;&#36;x&#36;&#36; a&#126;&#126;b&#126;&#126;'],
    ['&amp;lt; &amp;amp; &amp; ok', '&amp;lt; &amp;amp; & ok'],
    ['a\n    code', 'a\n\u00a0\u00a0\u00a0\u00a0code'],
  ],
}

describe.each(Object.entries(MARKUP))('%s', (_, cases) => {
  it.each(cases)('%j becomes %j', (slack, markdown) => expect(text(slack)).toBe(markdown))
})

describe('Rich text', () => {
  it('has marks around words, with blanks outside', () => {
    expect(section(said('see ', { bold: true }), said('this'))).toBe('**see** this')
    expect(section(said('a '), said(' b ', { italic: true, bold: true }), said('c'))).toBe('a  ***b*** c')
    expect(section(said('one\ntwo', { bold: true }))).toBe('**one**\n**two**')
    expect(section(said('  ', { bold: true }), said('x'))).toBe('x')
  })

  it('puts code innermost, and neighbours of one style under one mark', () => {
    expect(section(said('a', { code: true, bold: true }))).toBe('**`a`**')
    expect(section(said('a', { bold: true }), { type: 'emoji', name: 'tada', style: { bold: true } })).toBe(
      '**a:tada:**',
    )
    expect(section(said('a', { bold: true }), said('b', { bold: true, italic: true }))).toBe('**ab**')
  })

  it('leaves a sign out of the emphasis if a letter follows', () => {
    expect(section(said('Note:', { bold: true }), said('this'))).toBe('**Note**:this')
    expect(rendered(section(said('x'), said('"y"', { bold: true }), said('z')))).toBe(
      '<p>x"<strong>y</strong>"z</p>',
    )
  })

  it('nests lists by their indent, and goes on counting', () => {
    const item = (written: string) => ({ type: 'rich_text_section', elements: [said(written)] })
    const list = (style: string, indent: number, ...items: string[]) => ({
      type: 'rich_text_list',
      style,
      indent,
      elements: items.map(item),
    })
    expect(rich(list('ordered', 0, 'a'), list('bullet', 1, 'b', 'c'), list('ordered', 0, 'd'))).toBe(
      '1. a\n   * b\n   * c\n2. d',
    )
    expect(rich({ ...list('ordered', 0, 'x\ny'), offset: 4 })).toBe('5. x\n   y')
    expect(rich(list('bullet', 0, 'a'), list('bullet', 1, 'b'), list('ordered', 0, 'c'))).toBe(
      '* a\n   * b\n1. c',
    )
  })

  it('shows quotations, code of a language, and all that a section may name', () => {
    expect(rich({ type: 'rich_text_quote', elements: [said('a\n\nb')] })).toBe('> a\n>\n> b')
    expect(rich({ type: 'rich_text_preformatted', language: 'js', elements: [said('```\n*x*\n')] })).toBe(
      '````js\n```\n*x*\n````',
    )
    expect(
      section(
        { type: 'user', user_id: 'U1' },
        said(' '),
        { type: 'channel', channel_id: 'C1' },
        said(' '),
        { type: 'broadcast', range: 'here' },
        said(' '),
        { type: 'emoji', name: 'thumbsup', skin_tone: 2 },
        said(' '),
        { type: 'color', value: '#F00' },
        said(' '),
        { type: 'date', timestamp: 1392734382, format: '{date}', fallback: 'then' },
        said(' '),
        { type: 'link', url: 'https://a.example', text: 'A' },
        said(' '),
        { type: 'usergroup', usergroup_id: 'S1' },
        said(' '),
        { type: 'team', team_id: 'T1' },
      ),
    ).toBe(
      '@_**ref/U1** #**ref/C1** @here :+1: #F00 <time:2014-02-18T14:39:42Z> [A](https://a.example/) @S1 T1',
    )
  })

  it('shows the text of an unknown element, and counts it', () => {
    const unknown: string[] = []
    const names = { ...NAMES, unknown: (kind: string) => unknown.push(kind) }
    const block = new Payload({
      type: 'rich_text',
      elements: [
        { type: 'rich_text_section', elements: [{ type: 'hologram', text: 'boo' }] },
        { type: 'rich_text_dance', elements: [said('hop')] },
        null,
        {
          type: 'rich_text_section',
          elements: [null, { type: 'text', text: null }, { type: 'text', text: 7 }],
        },
      ],
    })
    expect(ofBlocks([block, new Payload({ type: 'new', text: { text: 'hi' } })], names)).toBe(
      'boo\n\nhop\n\n7\n\nhi',
    )
    expect(unknown).toEqual(
      expect.arrayContaining(['rich text hologram', 'rich text rich_text_dance', 'block new']),
    )
  })
})

describe('Blocks', () => {
  const block = (value: unknown) => ofBlocks([new Payload(value)], NAMES)

  it('become tables if they have columns', () => {
    const cell = (written: string) => ({ type: 'raw_text', text: written })
    expect(block({ type: 'table', rows: [[cell('a'), cell('b|c')], [cell('d')]] })).toBe(
      '| a | b&#124;c |\n| --- | --- |\n| d |  |',
    )
    const field = (written: string) => ({ type: 'mrkdwn', text: written })
    expect(block({ type: 'section', fields: [field('*a*'), field('1'), field('b')] })).toBe(
      '|  |  |\n| --- | --- |\n| **a** | 1 |\n| b |  |',
    )
    expect(block({ type: 'section', fields: [field('a\nb'), field('c')] })).toBe('a\nb\nc')
  })

  it('that are calls lead to them', () => {
    const call = { v1: { name: 'Stand-up', join_url: 'https://call.example/1' } }
    expect(block({ type: 'call', call_id: 'R1', call })).toBe('[Stand-up](https://call.example/1)')
  })

  it('that only offer something to press say nothing', () => {
    for (const type of ['actions', 'input', 'call', 'condition', 'contact_card', 'file']) {
      expect(block({ type, text: { text: 'x' } })).toBe('')
    }
  })
})

describe('Attachments', () => {
  const attachments = (values: unknown[], written = '') =>
    ofAttachments(
      values.map((value) => new Payload(value)),
      NAMES,
      written,
    )

  it('that repeat what a link in the text leads to are left out', () => {
    const preview = { service_name: 'A', from_url: 'https://a.example/', title: 'A page', text: 'Words' }
    expect(attachments([preview], 'see https://a.example/')).toBe('')
    expect(attachments([preview], 'see')).toBe('A page\n\nWords')
  })

  it('show title, fields, picture, and a time that may be a number or a text', () => {
    const attachment = {
      title: 'T',
      title_link: 'https://a.example/t',
      fields: [{ title: 'State', value: '*green*' }, null],
      image_url: 'https://a.example/i.png',
      footer: 'f',
      ts: 1392734382,
    }
    const shown =
      '[T](https://a.example/t)\n\n**State**: **green**\n\n[image](https://a.example/i.png)\n\nf <time:2014-02-18T14:39:42Z>'
    expect(attachments([attachment])).toBe(shown)
    expect(attachments([{ ...attachment, ts: '1392734382.5' }])).toBe(shown)
    expect(attachments([{ ...attachment, ts: {} }])).toBe(shown.replace(/ <time.*/, ''))
  })

  it('say once what they have in two forms', () => {
    const block = { type: 'section', text: { type: 'mrkdwn', text: '*a* &amp; b' } }
    expect(attachments([{ blocks: [block], text: '*a* &amp; b', fallback: 'a' }])).toBe('**a** & b')
    expect(attachments([{ blocks: [{ type: 'actions' }], text: 'c' }])).toBe('c')
  })

  it('that are messages are quoted', () => {
    const message = {
      is_msg_unfurl: true,
      author_name: 'Ada',
      from_url: 'https://t.slack.com/archives/C1/p1',
    }
    expect(attachments([{ ...message, text: '*a*\n\nb' }])).toBe(
      'Ada [said](ref/message):\n\n> **a**\n>\n> b',
    )
  })

  it('show their fallback if there is nothing else', () => {
    expect(attachments([{ fallback: 'only this' }, {}, null, 'x'])).toBe('only this')
  })
})

describe('Whatever people typed', () => {
  const PIECES = [
    '*',
    '**',
    '_',
    '~',
    '~~',
    '`',
    '```',
    '#',
    '# ',
    '>',
    '&',
    '&lt;',
    ':',
    ':smile:',
    '[',
    '](',
    ')',
    '<',
    '$$',
    '@',
    '|',
    '\n',
    ' ',
    'a',
    'b1',
    '"',
    '.',
    '!',
    '+ ',
    'é',
  ]
  const typed = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''))
  const style = fc.record({ bold: fc.boolean(), italic: fc.boolean(), strike: fc.boolean() })

  it('is shown with the same signs', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(typed, style), { maxLength: 4 }), (spans) => {
        const markdown = section(...spans.map(([written, how]) => said(written, how)))
        const signs = spans.map(([written]) => written).join('')
        expect(shownText(rendered(markdown))).toBe(comparable(signs))
      }),
      { numRuns: 2_000 },
    )
  })

  it('begins with a star where it does, not with a bullet', () => {
    expect(shownText(rendered(section(said(' * *'))))).toBe('**')
  })

  it('in brackets is no channel without an id', () => {
    expect(shownText(rendered(text('<# é|*>')))).toContain('é')
  })

  it('in Slack’s markup never fails, and loses no word', () => {
    fc.assert(
      fc.property(typed, (written) => {
        const shown = shownText(rendered(text(written)))
        for (const word of written.match(/[ab1é]+/g) ?? []) expect(shown).toContain(word)
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes time proportional to its length', () => {
    for (const piece of ['*a ', '_', '`', '<', ':a', '&gt;', '*_~a', '<@U1']) {
      expect(text(piece.repeat(10_000)).length).toBeGreaterThan(3_000)
    }
  })
})

describe('Names of emoji', () => {
  it('are found by their code points', () => {
    expect(emojiNamed('thumbsup')).toEqual({ name: '+1', code: '1f44d' })
    expect(emojiNamed('clap::skin-tone-2')).toEqual({ name: 'clap', code: '1f44f' })
    expect(emojiNamed('party_parrot')).toEqual({ name: 'party_parrot', code: undefined })
    expect(emojiNamed('constructor').code).toBeUndefined()
  })
})

/** The text that people see, without blanks, and without the signs of lists and rules. */
function shownText(html: string): string {
  return comparable(textOf(parseFragment(html)))
}

interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly childNodes?: readonly Node[]
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
}

function textOf(node: Node): string {
  return node.value ?? (node.childNodes ?? []).map(textOf).join('')
}

function comparable(text: string): string {
  return text.replaceAll(/[\s\u00a0]/gu, '')
}
