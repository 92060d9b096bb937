import { describe, expect, it } from 'vitest'
import { describeCases, rendered } from './describe-cases.ts'

describeCases('bullet lists', [
  ['* a\n* b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['+ a\n+ b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['* a', '<ul>\n<li>a</li>\n</ul>'],
  ['text\n* a\n* b', '<p>text</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['* a\n  * b\n    * c', '<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>'],
  ['* a\n\n* b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
  ['* a\n\n  b', '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>'],
  ['* a\n  b', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
  ['* a\nb', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
  ['* **a**', '<ul>\n<li><strong>a</strong></li>\n</ul>'],
  ['*a', '<p>*a</p>'],
  ['-a', '<p>-a</p>'],
  ['* a\n\ntext', '<ul>\n<li>a</li>\n</ul>\n<p>text</p>'],
  [
    '* a\n  ```\n  code\n    more\n  ```',
    '<ul>\n<li>a\n<div class="codehilite"><pre><span></span><code>code\n  more\n</code></pre></div>\n</li>\n</ul>',
  ],
  ['* a\n  > b', '<ul>\n<li>a\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n</ul>'],
  ['* a\n- b\n+ c', '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>'],
  ['* a\nmore\nand more\n- b', '<ul>\n<li>a<br>\nmore<br>\nand more</li>\n<li>b</li>\n</ul>'],
  ['* a\n1. b', '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>'],
])

describeCases('signs that begin no list', [
  ['*', '<p>*</p>'],
  ['-', '<p>-</p>'],
  ['- ', '<p>-</p>'],
  ['1.', '<p>1.</p>'],
  ['1.\n2. x', '<p>1.</p>\n<ol start="2">\n<li>x</li>\n</ol>'],
  ['* a\n*\n* b', '<ul>\n<li>a<br>\n*</li>\n<li>b</li>\n</ul>'],
])

describeCases('numbered lists', [
  ['1. first\n2. then', '<ol>\n<li>first</li>\n<li>then</li>\n</ol>'],
  ['1) first\n2) then', '<p>1) first<br>\n2) then</p>'],
  [
    '1. a\n1. b\n   17. c\n   18. d\n1. e',
    '<ol>\n<li>a</li>\n<li>b\n<ol start="17">\n<li>c</li>\n<li>d</li>\n</ol>\n</li>\n<li>e</li>\n</ol>',
  ],
  ['5. fifth\n6. sixth', '<ol start="5">\n<li>fifth</li>\n<li>sixth</li>\n</ol>'],
  ['9999. first\n10000. second', '<ol start="9999">\n<li>first</li>\n<li>second</li>\n</ol>'],
  ['0. zero', '<ol start="0">\n<li>zero</li>\n</ol>'],
  ['text\n1. a', '<p>text</p>\n<ol>\n<li>a</li>\n</ol>'],
  ['text\n3. a', '<p>text</p>\n<ol start="3">\n<li>a</li>\n</ol>'],
  ['1.a', '<p>1.a</p>'],
  ['1234567890. a', '<p>1234567890. a</p>'],
  ['1. a\n  * b\n  * c\n2. d', '<ol>\n<li>a\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ol>'],
  ['1. a\n   * b\n2. c', '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>'],
  ['1. a\n  1. b\n  2. c', '<ol>\n<li>a\n<ol>\n<li>b</li>\n<li>c</li>\n</ol>\n</li>\n</ol>'],
  ['10. a\n  * b', '<ol start="10">\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>'],
  ['1. a\n  * b\n    * c', '<ol>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n</ol>'],
  [
    '1. a\n  ```\n  x\n    y\n  ```\n2. b',
    '<ol>\n<li>a\n<div class="codehilite"><pre><span></span><code>x\n  y\n</code></pre></div>\n</li>\n<li>b</li>\n</ol>',
  ],
  ['1. a\n\n  b', '<ol>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ol>'],
  ['* a\n  1. b', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>'],
])

const table = (head: string, ...rows: string[]): string =>
  `<table>\n<thead>\n<tr>\n${head}\n</tr>\n</thead>\n<tbody>\n${rows.map((row) => `<tr>\n${row}\n</tr>\n`).join('')}</tbody>\n</table>`

describeCases('tables', [
  ['| a | b |\n| - | - |\n| 1 | 2 |', table('<th>a</th>\n<th>b</th>', '<td>1</td>\n<td>2</td>')],
  ['a|b\n--|--\n1|2', table('<th>a</th>\n<th>b</th>', '<td>1</td>\n<td>2</td>')],
  ['| a |\n| - |\n| 1 |\n| 2 |', table('<th>a</th>', '<td>1</td>', '<td>2</td>')],
  [
    '| a | b | c | d |\n| - | :- | :-: | -: |\n| 1 | 2 | 3 | 4 |',
    table(
      '<th>a</th>\n<th style="text-align: left;">b</th>\n<th style="text-align: center;">c</th>\n<th style="text-align: right;">d</th>',
      '<td>1</td>\n<td style="text-align: left;">2</td>\n<td style="text-align: center;">3</td>\n<td style="text-align: right;">4</td>',
    ),
  ],
  ['| table |\n| - |', table('<th>table</th>', '<td></td>')],
  [
    '| a | b |\n| - | :-: |',
    table(
      '<th>a</th>\n<th style="text-align: center;">b</th>',
      '<td></td>\n<td style="text-align: center;"></td>',
    ),
  ],
  ['| a | b |\n| - | - |\n| text |', table('<th>a</th>\n<th>b</th>', '<td>text</td>\n<td></td>')],
  ['| a |\n| - |\n| 1 | 2 |', table('<th>a</th>', '<td>1</td>')],
  [
    '| *i* | **b** | ***ib*** |\n| - | - | - |\n| `c` | ~~d~~ | x |',
    table(
      '<th><em>i</em></th>\n<th><strong>b</strong></th>\n<th><strong><em>ib</em></strong></th>',
      '<td><code>c</code></td>\n<td><del>d</del></td>\n<td>x</td>',
    ),
  ],
  [
    '| https://example.com |\n| - |\n| @**Iago** |',
    table(
      '<th><a href="https://example.com">https://example.com</a></th>',
      '<td><span class="user-mention" data-user-id="8">@Iago</span></td>',
    ),
  ],
  ['| a\\|b |\n| - |\n| c |', table('<th>a|b</th>', '<td>c</td>')],
  ['text\n| a |\n| - |\n| 1 |', `<p>text</p>\n${table('<th>a</th>', '<td>1</td>')}`],
  ['| a |\n| - |\n| 1 |\n\nafter', `${table('<th>a</th>', '<td>1</td>')}\n<p>after</p>`],
  ['| a | b |\n| - |', '<p>| a | b |<br>\n| - |</p>'],
  ['a | b', '<p>a | b</p>'],
])

describeCases('a bar within code ends no cell', [
  [
    '| `a|b` | c |\n| - | - |\n| d | `e|f` |',
    table('<th><code>a|b</code></th>\n<th>c</th>', '<td>d</td>\n<td><code>e|f</code></td>'),
  ],
  ['| a |\n| - |\n| ``b`|c`` |', table('<th>a</th>', '<td><code>b`|c</code></td>')],
  ['| a |\n| - |\n| `b\\|c` |', table('<th>a</th>', '<td><code>b|c</code></td>')],
  ['| a | b |\n| - | - |\n| \\`c | d` |', table('<th>a</th>\n<th>b</th>', '<td>\\`c</td>\n<td>d`</td>')],
  ['| a | b |\n| - | - |\n| `c | d |', table('<th>a</th>\n<th>b</th>', '<td>`c</td>\n<td>d</td>')],
  ['| a | b |\n| - | - |\n| `c | ``d |', table('<th>a</th>\n<th>b</th>', '<td>`c</td>\n<td>``d</td>')],
  [
    '> | `a|b` |\n> | - |\n> | `c|d` |',
    `<blockquote>\n${table('<th><code>a|b</code></th>', '<td><code>c|d</code></td>')}\n</blockquote>`,
  ],
  ['| `a|b` |\n| - | - |', '<p>| <code>a|b</code> |<br>\n| - | - |</p>'],
  ['| a |\n| - |\n| b |\n\n`c|d`', `${table('<th>a</th>', '<td>b</td>')}\n<p><code>c|d</code></p>`],
])

describe('the cells of a message', () => {
  const cellsIn = (html: string): number => html.split(/<t[hd][ >]/).length - 1

  it('that are written are all shown', () => {
    expect(cellsIn(rendered(`a|\n-|\n${'b\n'.repeat(4_990)}`))).toBe(4_991)
    expect(
      cellsIn(rendered(`${'|a'.repeat(98)}\n${'|-'.repeat(98)}\n${`${'|b'.repeat(98)}\n`.repeat(48)}`)),
    ).toBe(98 * 49)
  })

  it('are 6,000 at most, however many tables it has; what follows is text', () => {
    const table = (rows: number) => `${'|a'.repeat(90)}\n${'|-'.repeat(90)}\n${'b\n'.repeat(rows)}`
    const long = rendered(table(4_800))
    expect(cellsIn(long)).toBe(5_940)
    expect(long).toContain('</table>\n<p>b<br>\nb<br>')
    const many = rendered(Array.from({ length: 12 }, () => table(20)).join('\n'))
    expect(cellsIn(many)).toBeGreaterThan(5_000)
    expect(cellsIn(many)).toBeLessThanOrEqual(6_000)
    expect(many).toContain('<p>|a|a')
  })
})
