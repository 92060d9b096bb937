import { describe, expect, it } from 'vitest'
import { notUnderstood } from '../clients/mobile-html.ts'
import { rendered } from './describe-cases.ts'

describe('what the mobile client understands', () => {
  it.each([
    'text outside of a paragraph',
    '<p class="first">a</p>',
    '<p><span class="user-mention new-mention">@a</span></p>',
    '<p><span class="emoji-1f642">:smile:</span></p>',
    '<p><img class="emoji" src="/emoji.png"></p>',
    '<p><a>nowhere</a></p>',
    '<p><a class="channel" href="/">a</a></p>',
    '<p><u>a</u></p>',
    '<p><time datetime="2026-07-30T10:00:00+02:00">a</time></p>',
    '<p><span class="katex">x</span></p>',
    '<ul class="tasks">\n<li>a</li>\n</ul>',
    '<ol start="a">\n<li>a</li>\n</ol>',
    '<ul>\n<li><div class="message_inline_image"><a href="/a.png"><img src="/a.png"></a></div>text</li>\n</ul>',
    '<blockquote>a</blockquote>',
    '<pre><code>a</code></pre>',
    '<div class="codehilite"><pre><span></span><code><b>a</b></code></pre></div>',
    '<div class="codehilite"><pre><span></span><code><span class="zz">a</span></code></pre></div>',
    '<div class="codehilite">\n<pre><span></span><code>a</code></pre></div>',
    '<div class="spoiler-block">\n<div class="spoiler-header"></div><div class="spoiler-content"></div></div>',
    '<div class="message_inline_image"><a class="new" href="/a.png"><img src="/a.png"></a></div>',
    '<div class="message_inline_image"><a href="/a.png"><img></a></div>',
    '<div class="message_inline_image"><a href="/a.png"><img data-original-dimensions="1920" src="/a.png"></a></div>',
    '<div class="message_inline_image"><a href="/a.png"><img src="/user_uploads/thumbnail/2/ab/c/a.png/840x560.webp?x"></a></div>',
    '<div class="message_embed"><div class="data-container"></div></div>',
    '<table><thead><tr><th>a</th></tr></thead><tbody></tbody></table>',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    '<table>\n<thead>\n<tr>\n<th style="text-align:left">a</th>\n</tr>\n</thead>\n<tbody>\n</tbody>\n</table>',
  ])('is not %s', (html) => {
    expect(notUnderstood(html)).toHaveLength(1)
  })

  it.each([
    '$$\\frac{1}{2}$$ and *words*',
    '```math\nx^2\n\ny^2\n```\n> ```math\n> z\n> ```',
    '```python\ndef f(x):\n    """Doc."""\n    return f"{x!r}" + r"\\d"  # done\n```',
    '```html\n<a href="#">&amp;</a>\n```\n~~~\nplain\n~~~',
    '* one\n  1. two\n  2. three\n* ```quote\n  four\n  ```',
    '@**Iago** @_**Iago** @*hamletcharacters* @**all** @**topic** :smile: :zulip: #**Denmark** #**Denmark>a@1**',
    '<time:2026-07-30T10:00:00+02:00> ~~x~~ `y` [z](https://example.com/a.png)',
    '| a | b |\n| :- | -: |\n| 1 | **2** |\n| 3 |',
    '```spoiler *what*\n```quote\nthat\n```\n```',
  ])('is %s', (source) => {
    expect(notUnderstood(rendered(source))).toEqual([])
  })
})
