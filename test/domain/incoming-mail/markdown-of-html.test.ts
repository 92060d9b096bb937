import { describe, expect, it } from 'vitest'
import { markdownOfHtml } from '../../../src/domain/incoming-mail/in-worker/markdown-of-html.ts'

describe('the HTML of a mail', () => {
  it('is read whole with thousands of paragraphs, items and breaks that nothing ends', () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `line ${at}`)
    for (const html of [
      `<p>${lines.join('<p>')}`,
      `<ul><li>${lines.join('<li>')}</ul>`,
      lines.join('<br>'),
    ]) {
      expect(markdownOfHtml(html)).toContain('line 1999')
    }
  })

  it('is read whole with thousands of elements that are closed', () => {
    const row = '<tr><td><table><tr><td><b>word</b><img src="x"></td></tr></table></td></tr>'
    const text = markdownOfHtml(`<body><div><table>${row.repeat(1_000)}</table></div><i>the end</i></body>`)
    expect(text.match(/word/g)).toHaveLength(1_000)
    expect(text).toContain('the end')
  })

  it.each(['<b>', '<b></i>', '<b-a></b>', '<b:a></b>', '<ul><li>', '<dd><p><td>'])(
    'is read up to where too many elements are open: %s',
    (tags) => {
      const text = markdownOfHtml(`first ${tags.repeat(10_000)} last`)
      expect(text).toContain('first')
      expect(text).not.toContain('last')
    },
  )
})
