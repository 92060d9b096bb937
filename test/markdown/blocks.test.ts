import { describeCases } from './describe-cases.ts'

describeCases('paragraphs', [
  ['', ''],
  ['   \n\n ', ''],
  ['a', '<p>a</p>'],
  ['a\n\nb', '<p>a</p>\n<p>b</p>'],
  ['a\n\n\n\nb', '<p>a</p>\n<p>b</p>'],
  ['\n\na\n\n', '<p>a</p>'],
])

describeCases('headings', [
  ['# one', '<h1>one</h1>'],
  ['## two', '<h2>two</h2>'],
  ['### three', '<h3>three</h3>'],
  ['#### four', '<h4>four</h4>'],
  ['##### five', '<h5>five</h5>'],
  ['###### six', '<h6>six</h6>'],
  ['####### seven', '<p>####### seven</p>'],
  ['#no space', '<p>#no space</p>'],
  ['# closed #', '<h1>closed</h1>'],
  ['# a **b** `c`', '<h1>a <strong>b</strong> <code>c</code></h1>'],
  ['text\n# head\nmore', '<p>text</p>\n<h1>head</h1>\n<p>more</p>'],
  [
    '###### one [**~~*`two`*~~**](https://example/)',
    '<h6>one <a href="https://example/"><strong><del><em><code>two</code></em></del></strong></a></h6>',
  ],
  ['#', '<p>#</p>'],
  ['## ##', '<p>## ##</p>'],
  ['underlined\n===', '<p>underlined<br>\n===</p>'],
])

describeCases('thematic breaks', [
  ['---', '<hr>'],
  ['***', '<hr>'],
  ['___', '<hr>'],
  ['a\n---\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
  ['--', '<p>--</p>'],
])

describeCases('quotes', [
  ['> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['>a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
  ['> a\n>\n> b', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
  ['> a\n\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
  ['> > a', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
  ['a\n> b', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
  ['> * a\n> * b', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
  ['> # head', '<blockquote>\n<h1>head</h1>\n</blockquote>'],
  [
    '> ```\n> code\n> ```',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>code\n</code></pre></div>\n</blockquote>',
  ],
])

describeCases('a quote whose first lines are empty keeps what follows', [
  ['>\ntext', '<blockquote>\n<p>text</p>\n</blockquote>'],
  ['>\n> \ntext\nmore', '<blockquote>\n<p>text<br>\nmore</p>\n</blockquote>'],
  ['>\n>\n> text', '<blockquote>\n<p>text</p>\n</blockquote>'],
  ['>\ntext\n\nafter', '<blockquote>\n<p>text</p>\n</blockquote>\n<p>after</p>'],
  ['>\ntext\n> b\nc', '<blockquote>\n<p>text</p>\n<p>b<br>\nc</p>\n</blockquote>'],
  ['>\ntext\n>\n> b', '<blockquote>\n<p>text</p>\n<p>b</p>\n</blockquote>'],
  ['>\ntext\n>', '<blockquote>\n<p>text</p>\n</blockquote>'],
  ['>\ntext\n* a', '<blockquote>\n<p>text</p>\n</blockquote>\n<ul>\n<li>a</li>\n</ul>'],
  ['a\n>\nb', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
  ['> >\n> a', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
  ['* >\n  a', '<ul>\n<li>\n<blockquote>\n<p>a</p>\n</blockquote>\n</li>\n</ul>'],
  [
    '>\n@**Ada Lovelace|7**',
    '<blockquote>\n<p><span class="user-mention silent" data-user-id="7">Ada Lovelace</span></p>\n</blockquote>',
  ],
])

describeCases('signs that quote nothing', [
  ['>\n# a', '<p>&gt;</p>\n<h1>a</h1>'],
  ['>\n* a', '<p>&gt;</p>\n<ul>\n<li>a</li>\n</ul>'],
  ['* >\na', '<ul>\n<li>&gt;<br>\na</li>\n</ul>'],
  ['>', '<p>&gt;</p>'],
  ['> ', '<p>&gt;</p>'],
  ['>\n>', '<p>&gt;<br>\n&gt;</p>'],
  ['a\n>', '<p>a<br>\n&gt;</p>'],
  ['> >', '<blockquote>\n<p>&gt;</p>\n</blockquote>'],
  ['>\n\n> a', '<p>&gt;</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
  ['>\n> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['> a\n>', '<blockquote>\n<p>a</p>\n</blockquote>'],
])

describeCases('fenced quotes', [
  ['```quote\nwords\n```', '<blockquote>\n<p>words</p>\n</blockquote>'],
  ['~~~ quote\nwords\n~~~', '<blockquote>\n<p>words</p>\n</blockquote>'],
  ['```QUOTE\nwords\n```', '<blockquote>\n<p>words</p>\n</blockquote>'],
  ['```quote\na\n\nb\n```', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
  ['```quote\na\n```\nafter', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>after</p>'],
  ['before\n```quote\na\n```', '<p>before</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
  ['```quote\n* a\n* b\n```', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
  ['```quote\nunclosed', '<blockquote>\n<p>unclosed</p>\n</blockquote>'],
  ['```quote\n```', ''],
  [
    '````quote\n```quote\ninner\n```\nouter\n````',
    '<blockquote>\n<blockquote>\n<p>inner</p>\n</blockquote>\n<p>outer</p>\n</blockquote>',
  ],
  [
    '```quote\n```quote\ninner\n```\nouter\n```',
    '<blockquote>\n<blockquote>\n<p>inner</p>\n</blockquote>\n<p>outer</p>\n</blockquote>',
  ],
  [
    '```quote\n```python\nx\n```\nafter\n```\nend',
    '<blockquote>\n<div class="codehilite" data-code-language="Python"><pre><span></span><code>x\n</code></pre></div>\n<p>after</p>\n</blockquote>\n<p>end</p>',
  ],
  [
    '````quote\n```\nx\n```\n````',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>\n</blockquote>',
  ],
  [
    '@_**Ada Lovelace|7** said:\n```quote\nhi\n```',
    '<p><span class="user-mention silent" data-user-id="7">Ada Lovelace</span> said:</p>\n<blockquote>\n<p>hi</p>\n</blockquote>',
  ],
])

describeCases('spoilers', [
  [
    '```spoiler\nhello world\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>hello world</p>\n</div></div>',
  ],
  [
    '```spoiler hello\nworld\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>hello</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>world</p>\n</div></div>',
  ],
  [
    '```spoiler 1. * ## hello\n*italic* [zulip](https://zulip.com/)\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<ol>\n<li>\n<ul>\n<li>\n<h2>hello</h2>\n</li>\n</ul>\n</li>\n</ol>\n</div><div class="spoiler-content" aria-hidden="true">\n<p><em>italic</em> <a href="https://zulip.com/">zulip</a></p>\n</div></div>',
  ],
  [
    '```spoiler *a*\n* b\n* c\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><em>a</em></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</div></div>',
  ],
  [
    '```spoiler\n```quote\nx\n```\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<blockquote>\n<p>x</p>\n</blockquote>\n</div></div>',
  ],
  [
    '```spoiler @**Iago**\nx\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><span class="user-mention" data-user-id="8">@Iago</span></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>x</p>\n</div></div>',
  ],
  [
    '```spoilers\nx\n```',
    '<div class="codehilite" data-code-language="spoilers"><pre><span></span><code>x\n</code></pre></div>',
  ],
])
