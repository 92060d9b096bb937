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
