import { describe, expect, it } from 'vitest'
import { markdownOfHtml } from '../../../src/model/incoming-mail/in-worker/markdown-of-html.ts'

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

describe('in the Markdown of a mail', () => {
  it.each([
    ['<h1>Big <b>news</b></h1><p>x</p><h3>small<br>one</h3>', '# Big **news**\n\nx\n\n### small one'],
    ['<h2></h2>x', 'x'],
  ])('headings are marked: %s', (html, markdown) => expect(markdownOfHtml(html)).toBe(markdown))

  it.each([
    ['<p>a</p><pre>\nfor x:\n  <b>y</b>\n</pre>', 'a\n\n```\nfor x:\n  y\n```'],
    ['<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    ['Use <code>a `b`</code> and <tt>c</tt>.', 'Use `` a `b` `` and `c`.'],
    ['<pre class="moz-quote-pre">as it was</pre>', 'as it was'],
  ])('preformatted text is code: %s', (html, markdown) => expect(markdownOfHtml(html)).toBe(markdown))

  it.each([
    [
      '<ul><li>one<ul><li>a</li><li>b<ol start="3"><li>c</li></ol></li></ul></li><li>two</li></ul>',
      '* one\n  * a\n  * b\n    3. c\n* two',
    ],
    ['<ul><li>one</li><ul><li>a</li></ul><li>two</li></ul>', '* one\n  * a\n* two'],
    ['<ol type="a"><li>one</li><li>two</li></ol>', '1. one\n2. two'],
    [
      '<dl><dt>Term</dt><dd>meaning</dd><dd>another</dd><div><dt>Next</dt><dd>x</dd></div></dl>',
      '* Term\n  * meaning\n  * another\n* Next\n  * x',
    ],
  ])('lists are nested, and have definitions: %s', (html, markdown) => {
    expect(markdownOfHtml(html)).toBe(markdown)
  })

  it.each([
    [
      '<table><tr><th>Name</th><th>Count</th></tr><tr><td>A|B</td><td><b>1</b><br>or 2</td></tr></table>',
      '| Name | Count |\n| --- | --- |\n| A\\|B | **1** or 2 |',
    ],
    [
      '<table border="1"><tr><td rowspan="2">r</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan="2">w</td></tr></table>',
      '| r | 1 |\n| --- | --- |\n|  | 2 |\n| w |  |',
    ],
    [
      '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
      '| a | b |\n| --- | --- |\n| c | d |',
    ],
    ['<table role="presentation"><tr><th>left</th> <td>right</td></tr></table>', 'left right'],
    ['<table><tr><td><table><tr><td>in</td></tr></table></td><td>b</td></tr></table>', 'in\nb'],
  ])('tables of data are tables: %s', (html, markdown) => expect(markdownOfHtml(html)).toBe(markdown))

  it('a cell that claims a million columns and rows takes fifty', () => {
    const huge = '<td colspan="1000000" rowspan="1000000">x</td>'
    const [first, ...rest] = markdownOfHtml(`<table border=1><tr>${huge}<td>y</td></tr></table>`).split('\n')
    expect([first!.split('|').length, rest.length]).toEqual([53, 1])
  })

  it.each([
    ['<a href="https://x.example/a(b)c">Read it</a>', '[Read it](https://x.example/a%28b%29c)'],
    [
      '<a href="https://x.example"><div>Read [this]</div> now</a>',
      '[Read \\[this\\] now](https://x.example)',
    ],
    ['<a href="https://x.example"><img alt="Logo" src="x"></a>', '[Logo](https://x.example)'],
    ['<a href="https://x.example/z"></a>', 'https://x.example/z'],
    ['<a href="mailto:a@b.example">Ann</a>', 'Ann'],
    ['<a href="https://x.example/"><b>bold</b> text</a>', '[**bold** text](https://x.example/)'],
  ])('links have their text: %s', (html, markdown) => expect(markdownOfHtml(html)).toBe(markdown))
})
