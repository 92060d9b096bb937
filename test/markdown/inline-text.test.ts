import { describeCases, inParagraph } from './describe-cases.ts'

describeCases(
  'emphasis',
  inParagraph([
    ['*italic*', '<em>italic</em>'],
    ['**bold**', '<strong>bold</strong>'],
    ['***both***', '<strong><em>both</em></strong>'],
    ['a*b*c', 'a<em>b</em>c'],
    ['a**b**c', 'a<strong>b</strong>c'],
    ['*a* and *b*', '<em>a</em> and <em>b</em>'],
    ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['*a **b** c*', '<em>a <strong>b</strong> c</em>'],
    ['****four****', '<strong><strong>four</strong></strong>'],
    ['2 * not emphasised*', '2 * not emphasised*'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['**a*', '*<em>a</em>'],
    ['*a**', '<em>a</em>*'],
    ['*a\nb*', '*a<br>\nb*'],
    ['**a\nb**', '**a<br>\nb**'],
    ['*a *b\nc* d*', '*a *b<br>\nc* d*'],
    ['**bold**text', '<strong>bold</strong>text'],
    ['**`code`**', '<strong><code>code</code></strong>'],
    ['*(a)*', '<em>(a)</em>'],
  ]),
)

describeCases(
  'double stars are strong also with spaces inside',
  inParagraph([
    ['** a **', '<strong> a </strong>'],
    ['** a**', '<strong> a</strong>'],
    ['**a **', '<strong>a </strong>'],
    ['x** a **y', 'x<strong> a </strong>y'],
    ['2 ** 3 ** 4', '2 <strong> 3 </strong> 4'],
    ['** a ** and ** b **', '<strong> a </strong> and <strong> b </strong>'],
    ['** a *b* c **', '<strong> a <em>b</em> c </strong>'],
    ['** a **b** c **', '<strong> a <strong>b</strong> c </strong>'],
    ['~~ ** a ** ~~', '<del> <strong> a </strong> </del>'],
    ['[** a **](/b)', '<a href="/b"><strong> a </strong></a>'],
    ['*a ** b* c **', '<em>a ** b</em> c **'],
    ['** a', '** a'],
    ['** a\nb **', '** a<br>\nb **'],
    ['x * a * y', 'x * a * y'],
    ['`** a **` **', '<code>** a **</code> **'],
  ]),
)

describeCases(
  'underscores',
  inParagraph([
    ['_italic_', '_italic_'],
    ['__bold__', '__bold__'],
    ['snake_case_name', 'snake_case_name'],
    ['__init__.py', '__init__.py'],
    ['*_a_*', '<em>_a_</em>'],
    ['_', '_'],
  ]),
)

describeCases(
  'strike-through',
  inParagraph([
    ['~~gone~~', '<del>gone</del>'],
    ['a~~b~~c', 'a<del>b</del>c'],
    ['~one~', '~one~'],
    ['~~a **b** c~~', '<del>a <strong>b</strong> c</del>'],
    ['**~~a~~**', '<strong><del>a</del></strong>'],
    ['~~***`word`***~~', '<del><strong><em><code>word</code></em></strong></del>'],
    ['~~open', '~~open'],
    ['~~a\nb~~', '~~a<br>\nb~~'],
    ['~~a\nb~~ c~~', '~~a<br>\nb<del> c</del>'],
    ['~~ a ~~', '<del> a </del>'],
    ['a ~~ b ~~ c', 'a <del> b </del> c'],
    ['~~a~~b~~c~~', '<del>a</del>b<del>c</del>'],
    ['x ~~~a~~~', 'x ~~~a~~~'],
    ['~~a ~ b~~', '~~a ~ b~~'],
    ['x ~~~~', 'x ~~~~'],
  ]),
)

describeCases(
  'code spans',
  inParagraph([
    ['`code`', '<code>code</code>'],
    ['``a `b` c``', '<code>a `b` c</code>'],
    ['`**not bold**`', '<code>**not bold**</code>'],
    ['`<b>&`', '<code>&lt;b&gt;&amp;</code>'],
    ['`"quoted"`', '<code>"quoted"</code>'],
    ['` `` `', '<code> `` </code>'],
    ['` a `', '<code> a </code>'],
    ['`  `', '<code>  </code>'],
    ['a ` b` c', 'a <code> b</code> c'],
    ['\\`a`', '\\`a`'],
    ['`a', '`a'],
    ['`a`b`', '<code>a</code>b`'],
    ['`@**Iago**`', '<code>@**Iago**</code>'],
    ['`:smile:`', '<code>:smile:</code>'],
    ['`https://example.com`', '<code>https://example.com</code>'],
    ['`🙂`', '<code>🙂</code>'],
    ['`$$x$$`', '<code>$$x$$</code>'],
    ['`a\\`', '<code>a\\</code>'],
  ]),
)

describeCases(
  'line breaks',
  inParagraph([
    ['a\nb', 'a<br>\nb'],
    ['a  \nb', 'a<br>\nb'],
    ['a\r\nb', 'a<br>\nb'],
    ['a\nb\nc', 'a<br>\nb<br>\nc'],
    ['a\\\nb', 'a\\<br>\nb'],
    ['  a  ', 'a'],
  ]),
)

describeCases(
  'what is no markup',
  inParagraph([
    ['\\*hello\\*', '\\<em>hello\\</em>'],
    ['a & b', 'a &amp; b'],
    ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
    ['<!-- hidden -->', '&lt;!-- hidden --&gt;'],
    ['1 < 2 > 0', '1 &lt; 2 &gt; 0'],
    ['"quoted" and \'single\'', '"quoted" and \'single\''],
    ['(c) ... -- "', '(c) ... -- "'],
    ['a\0b', 'a\ufffdb'],
    ['\u001b[31mred', '\ufffd[31mred'],
    ['a\tb', 'a\tb'],
    ['a\ud800', 'a\ufffd'],
    ['C:\\dir\\*', 'C:\\dir\\*'],
    ['[note]', '[note]'],
    ['[note]: not a reference', '[note]: not a reference'],
    ['$5 and $6', '$5 and $6'],
    ['$$', '$$'],
    ['@', '@'],
    ['a #', 'a #'],
    [':', ':'],
  ]),
)

describeCases(
  'right-to-left and combining text',
  inParagraph([
    ['שלום **עולם**', 'שלום <strong>עולם</strong>'],
    ['مرحبا *بالعالم*', 'مرحبا <em>بالعالم</em>'],
    ['\u200fא @**Iago**', '\u200fא <span class="user-mention" data-user-id="8">@Iago</span>'],
    ['\u202eevil\u202c', '\u202eevil\u202c'],
    ['e\u0301tude', 'e\u0301tude'],
    ['zero\u200bwidth', 'zero\u200bwidth'],
  ]),
)

describeCases(
  'a typed entity shows as its character and is never markup',
  inParagraph([
    ['&amp; &lt;b&gt; &#39; &#x27; &quot; &copy;', "&amp; &lt;b&gt; ' ' \" ©"],
    ['&#42;a&#42; *b&#42;*', '*a* <em>b*</em>'],
    [
      '&#96;a&#96; &#91;a](https://example.com/)',
      '`a` [a](<a href="https://example.com/">https://example.com/</a>)',
    ],
    [
      '&#64;**Iago** &#35;**announce** &#36;&#36;x&#36;&#36;',
      '@**Iago** #**announce** $$x$$'.replace(/\*\*(\w+)\*\*/g, '<strong>$1</strong>'),
    ],
    ['&#58;smile: :smile&#58;', ':smile: :smile:'],
    ['&lt;time:2024-01-01T00:00:00Z>', '&lt;time:2024-01-01T00:00:00Z&gt;'],
    ['&#126;~a~&#126;', '~~a~~'],
    ['https&#58;//example.com', 'https://example.com'],
    ['[&#91;a&#93; &amp;](/x)', '<a href="/x">[a] &amp;</a>'],
    ['[&#32;](/x)', '<a href="/x">/x</a>'],
    ['`&amp;`', '<code>&amp;amp;</code>'],
    ['&amp;amp; &amp &nosuch; &;', '&amp;amp; &amp;amp &amp;nosuch; &amp;;'],
    ['&#0; &#xd800; &#x1f642;', '\ufffd \ufffd 🙂'],
  ]),
)

describeCases('an entity begins no block', [
  ['&gt; a', '<p>&gt; a</p>'],
  ['&#35; a', '<p># a</p>'],
  ['&#96;&#96;&#96;\na', '<p>```<br>\na</p>'],
  ['```\n&amp;\n```', '<div class="codehilite"><pre><span></span><code>&amp;amp;\n</code></pre></div>'],
])
