import { describe, expect, it } from 'vitest'
import { markdownOfHtml } from '../../../src/model/incoming-mail/in-worker/markdown-of-html.ts'
import { ownWords } from '../../../src/model/incoming-mail/in-worker/own-words.ts'

const ADDRESS = 'noreply@chat.example.com'
const OWN = 'Yes, let us do that.\n\nAt noon?'
const QUOTED = ['Ben:', 'shall we?', '', 'And: where?']

/** What programs write above a quotation, by language and program. */
const HEADS: Readonly<Record<string, string>> = {
  'English, Gmail': `On Sat, Nov 21, 2026 at 11:02 AM Castle notifications <${ADDRESS}> wrote:`,
  'English, Apple Mail': `On 21 Nov 2026, at 11:02, Castle notifications <${ADDRESS}> wrote:`,
  'English, Yahoo': `On Saturday, November 21, 2026 at 11:02:44 AM GMT+1, Castle <${ADDRESS}> wrote:`,
  'German, Gmail': `Am Sa., 21. Nov. 2026 um 11:02 Uhr schrieb Castle notifications <${ADDRESS}>:`,
  'German, GMX': `Castle notifications <${ADDRESS}> schrieb am Sa., 21. Nov. 2026, 11:02:`,
  'French, Gmail': `Le sam. 21 nov. 2026 à 11:02, Castle notifications <${ADDRESS}> a écrit :`,
  'Spanish, Gmail': `El sáb, 21 nov 2026 a las 11:02, Castle notifications (<${ADDRESS}>) escribió:`,
  'Japanese, Gmail': `2026年11月21日(土) 11:02 Castle notifications <${ADDRESS}>:`,
  'Japanese, full-width': `2026年11月21日(土) 11:02 Castle <${ADDRESS}>のメール：`,
  'Arabic, Gmail': `في السبت، 21 نوفمبر 2026 في 11:02 ص تمت كتابة ما يلي بواسطة Castle <${ADDRESS}>:`,
  'Arabic, its own digits': `في ٢١ نوفمبر ٢٠٢٦ في ١١:٠٢ كتب Castle notifications <${ADDRESS}>:`,
  'Portuguese, Gmail': `Em sáb., 21 de nov. de 2026 às 11:02, Castle notifications <${ADDRESS}> escreveu:`,
  'Italian, Gmail': `Il giorno sab 21 nov 2026 alle ore 11:02 Castle notifications <${ADDRESS}> ha scritto:`,
  'Swedish, Gmail': `Den lör 21 nov. 2026 kl 11:02 skrev Castle notifications <${ADDRESS}>:`,
  'Polish, Gmail': `sob., 21 lis 2026 o 11:02 Castle notifications <${ADDRESS}> napisał(a):`,
  'Russian, Gmail': `сб, 21 нояб. 2026 г. в 11:02, Castle notifications <${ADDRESS}>:`,
  'Russian, Mail.ru': `Суббота, 21 ноября 2026, 11:02 +03:00 от Castle notifications <${ADDRESS}>:`,
  'Chinese, Gmail': `Castle notifications <${ADDRESS}> 于2026年11月21日周六 11:02写道：`,
  'Korean, Gmail': `2026년 11월 21일 (토) 오전 11:02, Castle notifications <${ADDRESS}>님이 작성:`,
  'Vietnamese, Gmail': `Vào Th 7, 21 thg 11, 2026 vào lúc 11:02 Castle notifications <${ADDRESS}> đã viết:`,
  'Dutch, Gmail': `Op za 21 nov 2026 om 11:02 schreef Castle notifications <${ADDRESS}>:`,
  'Greek, Gmail': `Στις Σάβ 21 Νοε 2026 στις 11:02 π.μ., ο χρήστης Castle <${ADDRESS}> έγραψε:`,
  'ISO dates': `2026-11-21 11:02 GMT+01:00 Castle notifications <${ADDRESS}>:`,
  'a long name': `On Sat, Nov 21, 2026 at 11:02 AM ${'The Castle of Elsinore and its notifications '.repeat(3)}<${ADDRESS}> wrote:`,
}

/** Heads with a name and a date, but without an address: enough above marked lines alone. */
const WITHOUT_ADDRESS: Readonly<Record<string, string>> = {
  'English, Thunderbird': 'On 11/21/26 11:02, Castle notifications wrote:',
  'German, Thunderbird': 'Am 21.11.26 um 11:02 schrieb Castle notifications:',
  'Czech, Thunderbird': 'Dne 21. 11. 26 v 11:02 Castle notifications napsal(a):',
  'Finnish, Thunderbird': 'Castle notifications kirjoitti 21.11.2026 klo 11.02:',
  'Chinese, Thunderbird': '在 2026/11/21 11:02, Castle notifications 写道:',
  'said, ISO date': 'On 2026-11-21, Castle notifications said:',
}

/** Breaks a line at blanks, as programs do that write at most 72 characters a line. */
function wrapped(head: string): string[] {
  const lines = ['']
  for (const word of head.split(' ')) {
    if (lines.at(-1) !== '' && lines.at(-1)!.length + 1 + word.length > 72) lines.push('')
    lines.push(`${lines.pop()!} ${word}`.trim())
  }
  return lines
}

const SHAPES: Readonly<Record<string, (head: string) => string[]>> = {
  'in one line': (head) => [head],
  wrapped,
  'broken before the address': (head) => head.replace(/([<(]+)(?=noreply)/, '$1\n').split('\n'),
  'broken after the date': (head) => head.replace(/^(.{8,40}?\d:02,?) (?!GMT|\+)/, '$1\n').split('\n'),
  indented: (head) => wrapped(head).map((line) => `   ${line}`),
}

const marked = (lines: readonly string[]) => lines.map((line) => `> ${line}`)
const paragraphs = QUOTED.map((line) => `<p>${line}</p>`).join('')
const inHtml = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The ways in which a quotation follows its head. */
const KINDS: Readonly<Record<string, (head: readonly string[]) => string>> = {
  marked: (head) => [OWN, '', ...head, '', ...marked(QUOTED)].join('\n'),
  'marked, without blank lines': (head) => [OWN, ...head, ...marked(QUOTED)].join('\n'),
  'marked, above the own words': (head) => [...head, ...marked(QUOTED), '', OWN].join('\n'),
  'marked with its head': (head) => [OWN, '', ...marked([...head, '', ...QUOTED])].join('\n'),
  'of HTML': (head) =>
    markdownOfHtml(
      `<p>Yes, let us do that.</p><p>At noon?</p><div>${head.map(inHtml).join('<br>')}</div><blockquote>${paragraphs}</blockquote>`,
    ),
}
/** Those that need a head with an address. */
const UNMARKED: typeof KINDS = {
  unmarked: (head) => [OWN, '', ...head, '', ...QUOTED].join('\n'),
  'unmarked, without a blank line': (head) => [OWN, '', ...head, ...QUOTED].join('\n'),
  'of HTML, unmarked': (head) =>
    markdownOfHtml(
      `<p>Yes, let us do that.</p><p>At noon?</p><div>${head.map(inHtml).join('<br>')}</div><div>${paragraphs}</div>`,
    ),
}

const own = (text: string) => ownWords(text, { quotes: false, footer: false })

function casesOf(heads: typeof HEADS, kinds: typeof KINDS): [name: string, text: string][] {
  return Object.entries(heads).flatMap(([language, head]) =>
    Object.entries(SHAPES).flatMap(([shape, shaped]) =>
      Object.entries(kinds).map(([kind, write]): [string, string] => [
        `${language}; ${shape}; ${kind}`,
        write(shaped(head)),
      ]),
    ),
  )
}

describe('the line above a quotation goes with it, in any language', () => {
  it.each([...casesOf(HEADS, { ...KINDS, ...UNMARKED }), ...casesOf(WITHOUT_ADDRESS, KINDS)])(
    '%s',
    (_name, text) => {
      expect(own(text)).toBe(OWN)
    },
  )
})

describe('the fields of a quoted mail go with it, in any language', () => {
  it.each([
    ['From', 'Sent', 'To', 'Subject'],
    ['Von', 'Gesendet', 'An', 'Betreff'],
    ['De', 'Enviado', 'Para', 'Assunto'],
    ['Från', 'Skickat', 'Till', 'Ämne'],
    ['От', 'Отправлено', 'Кому', 'Тема'],
    ['发件人', '发送时间', '收件人', '主题'],
  ])('%s', (from, sent, to, subject) => {
    for (const [mark, colon] of [
      ['', ':'],
      ['**', ':'],
      ['', '：'],
    ]) {
      const field = (name: string | undefined, value: string) => `${mark}${name}${colon}${mark} ${value}`
      const head = [
        field(from, `Castle notifications <${ADDRESS}>`),
        field(sent, '21 11 2026 11:02'),
        field(to, 'Ann'),
        field(subject, 'Re: #general > lunch'),
      ]
      for (const rule of ['________________________________', '-----Ursprüngliche Nachricht-----', '']) {
        expect(own([OWN, '', rule, ...head, '', ...QUOTED].join('\n'))).toBe(OWN)
      }
    }
  })
})

it('a sentence with a date above the line that names the sender stays', () => {
  const above = `Castle <${ADDRESS}> wrote:`
  for (const words of ['Let us meet on 21.11.2026 at 11:02.', 'We meet at 11:02', 'It was in 2026']) {
    expect(own([words, above, ...marked(QUOTED)].join('\n'))).toBe(words)
  }
})

describe('a mail is kept in full where its quotation is doubtful', () => {
  const head = HEADS['English, Gmail']!
  it.each([
    ['answers between the lines', [head, '> shall we?', 'Yes.', '> at noon?', 'Rather later.']],
    ['own words before and between', ['Hello,', '', head, '> shall we?', 'Yes.', '', '> at noon?', 'No.']],
    ['an unmarked quotation with nothing above it', [head, '', ...QUOTED, '', 'Yes.']],
    [
      'words that quote without a date',
      ['I do not agree with this:', '> shall we?', '> at noon?', '> or later?'],
    ],
    ['a colon, and nobody named', ['Yes.', '', 'Ben wrote on Saturday:', ...marked(QUOTED)]],
    ['an agenda', ['Plan for 21.11.2026 at 11:02 with Ann:', '', '- lunch', '- castle']],
    ['an address in a sentence', ['On 21.11.2026 write to ann@example.com:', '', 'the form', 'the key']],
    ['more lines with colons than anybody writes', [...Array(201).fill('a:'), '', head, ...marked(QUOTED)]],
    ['a list of contacts', ['Name: Ann', 'Mail: ann@example.com', 'Date: 21.11.2026', 'Place: Elsinore']],
    [
      'a full line directly above the head',
      [
        'I would rather have lunch at the castle than at the harbour, because of the wind',
        `On Saturday, the 21st of November 2026, at 11:02 Castle <${ADDRESS}> wrote:`,
        '',
        ...QUOTED,
      ],
    ],
  ])('%s', (_name, lines) => {
    const text = lines.join('\n')
    expect(own(text)).toBe(text)
  })
})
