import { describe, expect, it } from 'vitest'
import { Payload } from '../../src/integrations/payload.ts'
import { fillIn, fillInPlain, parseTemplate } from '../../src/integrations/template-language.ts'

const payload = new Payload({
  a: { b: [{ c: 'deep' }] },
  mark: '**x** @**all**\nhttps://evil.example',
  url: 'javascript:alert(1)',
  many: Array.from({ length: 25 }, (_, at) => at),
  date: '2024-02-29T12:00:00+01:00',
  never: 'soon',
  big: 'x'.repeat(20_000),
  some: ['x', 'y', {}, 'z'],
  state: 'IN_PROGRESS',
  camel: 'notStarted',
  path: 'a/b/c',
  html: '<p>One &amp; <b>two</b></p><p>three &lt;b&gt;</p>',
  dotted: { 'System.Title': 'with dots' },
})

describe('a template', () => {
  it.each([
    ['plain', 'plain'],
    ['{{a.b.0.c}}!', 'deep!'],
    ['{{ a.b.0.c }}', 'deep'],
    ['{{a.x.y}}', ''],
    ['{{a}}', ''],
    ['{{a.__proto__.constructor}}', ''],
    ['{{mark}}', '&#42;&#42;x&#42;&#42; @&#42;&#42;all&#42;&#42; https://evil.example'],
    ['{{mark | raw}}', '**x** @**all**\nhttps://evil.example'],
    ['{{mark | quote}}', '~~~ quote\n**x** @**all**\nhttps://evil.example\n~~~'],
    ['[x]({{url}})', 'x'],
    ['{{date | time}}', '<time:2024-02-29T11:00:00Z>'],
    ['{{never | time}}', 'soon'],
    ['{{none | time | default: "no time"}}', 'no time'],
    ['{{none | default: a.b}}', 'a.b'],
    ['{{a.b | list: c}}', '* deep'],
    ['{{mark | list}}', ''],
    ['{{none | or: a.b.0.c}} {{state | or: a.b.0.c}}', 'deep IN_PROGRESS'],
    ['{{none | or: other | default: "nothing"}}', 'nothing'],
    ['{{a | means: "some"}}{{none | means: "none"}}', 'some'],
    ['{{many | count}}, {{a.b | count: thing}}', '25, 1 thing'],
    ['{{a.b | join: c}} {{some | join}} {{state | join}}', 'deep x, y and z IN_PROGRESS'],
    ['{{many | join}}', `${Array.from({ length: 20 }, (_, at) => at).join(', ')} and 5 more`],
    ['{{state | words}} {{camel | words}}', 'in progress not started'],
    ['{{mark | line}}', '&#42;&#42;x&#42;&#42; @&#42;&#42;all&#42;&#42;'],
    ['{{date | first: 10}}', '2024-02-29'],
    [
      '{{path | before: "/"}} {{path | after: "/"}} {{path | last: "/"}} {{path | without: "/"}}',
      'a b/c c abc',
    ],
    ['{{path | before: "?"}} {{path | after: "?"}} {{path | last: "?"}}', 'a/b/c a/b/c a/b/c'],
    ['{{html | text | raw}}', 'One & two\nthree <b>'],
    [String.raw`{{dotted.System\.Title}}`, 'with dots'],
    ['{{mark | line | bold}}', '**&#42;&#42;x&#42;&#42; @&#42;&#42;all&#42;&#42;**'],
    ['Has {{a.b | list: c}} and', 'Has \n* deep\n and'],
    ['Has {{mark | list}} and', 'Has  and'],
    ['{{a.b | list: c}}{{a.b | list: c}}', '* deep\n* deep'],
  ])('%j makes %j', (template, text) => {
    expect(fillIn(parseTemplate(template), payload)).toBe(text)
  })

  it('shows a part of long lists and texts', () => {
    expect(fillIn(parseTemplate('{{many | list}}'), payload)).toMatch(/\* 19\n\* and 5 more$/)
    expect(fillIn(parseTemplate('{{big | raw}}'.repeat(10)), payload)).toHaveLength(11_000)
  })

  it('of a topic is one line of plain text', () => {
    expect(fillInPlain(parseTemplate('T: {{mark}}'), payload)).toBe('T: **x** @**all** https://evil.example')
  })
})
