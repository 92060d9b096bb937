import { describe, expect, it, vi } from 'vitest'
import { sharedParser } from '../../src/markdown/parser.ts'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { describeCases, inParagraph } from './describe-cases.ts'
import { lookups } from './lookups.ts'

describeCases(
  'links with text',
  inParagraph([
    ['[text](https://example/)', '<a href="https://example/">text</a>'],
    ['[text](https://example/ "the title")', '<a href="https://example/" title="the title">text</a>'],
    ['[a **b** `c`](https://example/)', '<a href="https://example/">a <strong>b</strong> <code>c</code></a>'],
    [
      '[~~***`word`***~~](https://example/)',
      '<a href="https://example/"><del><strong><em><code>word</code></em></strong></del></a>',
    ],
    ['~~***[t](/u)***~~', '<del><strong><em><a href="/u">t</a></em></strong></del>'],
    [
      'before[text](/there)mid[other](/else)after',
      'before<a href="/there">text</a>mid<a href="/else">other</a>after',
    ],
    ['[x](google.com)', '<a href="http://google.com">x</a>'],
    ['[x](google.com/a?b=c&d)', '<a href="http://google.com/a?b=c&amp;d">x</a>'],
    ['[x](ada@example.com)', '<a href="mailto:ada@example.com">x</a>'],
    ['[x](//example.com/a)', '<a href="http://example.com/a">x</a>'],
    ['[x](#narrow/channel/9-announce)', '<a href="#narrow/channel/9-announce">x</a>'],
    ['[x](mailto:a@b.c)', '<a href="mailto:a@b.c">x</a>'],
    ['[x](tel:+123)', '<a href="tel:+123">x</a>'],
    ['[x](FTP://example.com)', '<a href="ftp://example.com">x</a>'],
    ['[x](https://example.com/?)', '<a href="https://example.com/">x</a>'],
    ['[x](https://example.com/"a"<b>)', '<a href="https://example.com/&quot;a&quot;&lt;b&gt;">x</a>'],
    ['[x](https://example.com/a_(b))', '<a href="https://example.com/a_(b)">x</a>'],
    ['[x](<https://example.com/a b>)', '<a href="https://example.com/a%20b">x</a>'],
    ['[x](https://example.com/ü)', '<a href="https://example.com/ü">x</a>'],
    ['[https://a.example](https://b.example)', '<a href="https://b.example">https://a.example</a>'],
    ['[a] (https://example.com)', '[a] (<a href="https://example.com">https://example.com</a>)'],
    ['[a <https://b/> c](https://a/)', '<a href="https://a/">a &lt;https://b/&gt; c</a>'],
    ['[![a](https://b/)](https://a/)', '<a href="https://a/">![a](https://b/)</a>'],
    ['[a@b.example](https://a/)', '<a href="https://a/">a@b.example</a>'],
    ['[a]()', '[a]()'],
    ['[](https://example/)', '<a href="https://example/">https://example/</a>'],
    ['[ \n ](https://example/)', '<a href="https://example/">https://example/</a>'],
    ['[ ](https://example/)', '<a href="https://example/">https://example/</a>'],
    ['[x](sms:+123)', '<a href="sms:+123">x</a>'],
    ['[a](', '[a]('],
    ['[a][b]', '[a][b]'],
    ['[[a]](https://example/)', '<a href="https://example/">[a]</a>'],
    [
      '[a [b](https://b/)](https://a/)',
      '[a <a href="https://b/">b</a>](<a href="https://a/">https://a/</a>)',
    ],
    ['[x](user_uploads/2/a.txt)', '<a href="/user_uploads/2/a.txt">x</a>'],
  ]),
)

describeCases(
  'addresses that make no link',
  inParagraph([
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['[x](JaVaScRiPt:alert(1))', '[x](JaVaScRiPt:alert(1))'],
    ['[x](vbscript:x)', '[x](vbscript:x)'],
    ['[x](data:text/html;base64,PHNjcmlwdD4=)', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['[x](ms-msdt:a)', '[x](ms-msdt:a)'],
    ['[x](javascript&colon;alert(1))', '[x](javascript:alert(1))'],
    ['<javascript:alert(1)>', '&lt;javascript:alert(1)&gt;'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    [
      '[x](blob:https://example.com/a)',
      '[x](blob:<a href="https://example.com/a">https://example.com/a</a>)',
    ],
  ]),
)

describeCases(
  'bare addresses',
  inParagraph([
    ['https://example.com', '<a href="https://example.com">https://example.com</a>'],
    [
      'see http://example.com/a?b=c#d.',
      'see <a href="http://example.com/a?b=c#d">http://example.com/a?b=c#d</a>.',
    ],
    ['(https://example.com)', '(<a href="https://example.com">https://example.com</a>)'],
    ['https://example.com/a_(b)', '<a href="https://example.com/a_(b)">https://example.com/a_(b)</a>'],
    ['https://example.com/a*b*c', '<a href="https://example.com/a*b*c">https://example.com/a*b*c</a>'],
    ['https://example.com/a_b_c', '<a href="https://example.com/a_b_c">https://example.com/a_b_c</a>'],
    ['**https://example.com**', '<strong><a href="https://example.com">https://example.com</a></strong>'],
    ['https://example.com/%20', '<a href="https://example.com/%20">https://example.com/%20</a>'],
    ['example.com', '<a href="http://example.com">example.com</a>'],
    ['www.example.com/a', '<a href="http://www.example.com/a">www.example.com/a</a>'],
    ['example.dev', '<a href="http://example.dev">example.dev</a>'],
    ['setup.py and README.md', 'setup.py and README.md'],
    ['https://docs.example.md', '<a href="https://docs.example.md">https://docs.example.md</a>'],
    ['end.of sentence', 'end.of sentence'],
    ['v1.2.3', 'v1.2.3'],
    ['ada@example.com', '<a href="mailto:ada@example.com">ada@example.com</a>'],
    ['mailto:ada@example.com', 'mailto:<a href="mailto:ada@example.com">ada@example.com</a>'],
    ['ftp://example.com/f', '<a href="ftp://example.com/f">ftp://example.com/f</a>'],
    ['<https://example.com>', '&lt;<a href="https://example.com">https://example.com</a>&gt;'],
    ['<ada@example.com>', '&lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt;'],
    ['http://example.com:', '<a href="http://example.com">http://example.com</a>:'],
    ['http://example.com/a: b', '<a href="http://example.com/a">http://example.com/a</a>: b'],
    ['javascript:foo.com', 'javascript:<a href="http://foo.com">foo.com</a>'],
    ['about:blank.com', 'about:<a href="http://blank.com">blank.com</a>'],
    ['a@b.com/foo', 'a@b.com/foo'],
    [
      'http://a.com/1(2(3(4(5(6(7(8)))))))',
      '<a href="http://a.com/1(2(3(4(5(6(7(8)))))))">http://a.com/1(2(3(4(5(6(7(8)))))))</a>',
    ],
    ['http://a.com/1(2(3(4(5(6(7(8(9))))))))', 'http://a.com/1(2(3(4(5(6(7(8(9))))))))'],
    ['http://a.com/b(c', 'http://a.com/b(c'],
    ['(http://a.com/b(c)).', '(<a href="http://a.com/b(c)">http://a.com/b(c)</a>).'],
    ['<script src="https://a.com/b.js"></script>', '&lt;script src="https://a.com/b.js"&gt;&lt;/script&gt;'],
    ['<script src=https://a.com/b.js>', '&lt;script src=https://a.com/b.js&gt;'],
    ['<b>https://a.com</b>', '&lt;b&gt;https://a.com&lt;/b&gt;'],
    ['https://a.com/🙂', '<a href="https://a.com/🙂">https://a.com/🙂</a>'],
    ['https://a.com，b', '<a href="https://a.com">https://a.com</a>，b'],
    ["https://a.com's", "https://a.com's"],
    ['参照https://a.com', '参照<a href="https://a.com">https://a.com</a>'],
    [
      'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      '<a href="bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT">bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT</a>',
    ],
    ['http://localhost:9991/x', '<a href="http://localhost:9991/x">http://localhost:9991/x</a>'],
    ['http://127.0.0.1:9991', '<a href="http://127.0.0.1:9991">http://127.0.0.1:9991</a>'],
    ['https://münchen.example', '<a href="https://xn--mnchen-3ya.example">https://münchen.example</a>'],
    ['https://', 'https://'],
    ['a:b', 'a:b'],
    [
      'https://example.com/?a=1&amp;b=2',
      '<a href="https://example.com/?a=1&amp;b=2">https://example.com/?a=1&amp;b=2</a>',
    ],
  ]),
)

const linked = (address: string): string => `<a href="${address}">${address}</a>`

describeCases(
  'addresses with a user are links, unless they have a password',
  inParagraph([
    ['http://leo@foo.com/x', linked('http://leo@foo.com/x')],
    ['http://name@host/path', linked('http://name@host/path')],
    ['http://name@host', linked('http://name@host')],
    ['(https://a.b+c@host.example:8080/x).', `(${linked('https://a.b+c@host.example:8080/x')}).`],
    ['ftp://anonymous@ftp.example.com/pub', linked('ftp://anonymous@ftp.example.com/pub')],
    ['https://name:secret@host/path', 'https://name:secret@host/path'],
    ['https://name:secret@example.com', 'https://name:secret@example.com'],
    ['https://name:@example.com', 'https://name:@example.com'],
    ['https://@example.com', 'https://@example.com'],
    ['https://a@b@example.com/x', 'https://a@b@example.com/x'],
    ['https://name@/x', 'https://name@/x'],
    ['ssh://git@example.com/x', linked('ssh://git@example.com/x')],
    ['ssh://git:secret@example.com/x', 'ssh://git:secret@example.com/x'],
  ]),
)

describeCases(
  'names of files, and of no top-level domain, make no link',
  inParagraph([
    ['clip.mov a.zip x.md setup.py Main.java', 'clip.mov a.zip x.md setup.py Main.java'],
    ['report.pdf photo.jpeg a.tar.gz notes.txt', 'report.pdf photo.jpeg a.tar.gz notes.txt'],
    ['example.notld a.b.internal', 'example.notld a.b.internal'],
    ['clip.mov/a x.md#b', 'clip.mov/a x.md#b'],
    ['https://a.zip/x', linked('https://a.zip/x')],
  ]),
)

describeCases(
  'names of every top-level domain of today make a link',
  inParagraph(
    [
      'a.abogado',
      'nic.zuerich',
      'a.med',
      'b.apartments',
      'c.vodka/d',
      'é.みんな',
      'shop.集团',
      'пример.рф',
    ].map((name) => [
      name,
      `<a href="http://${name.replace(/^[^/]+/, (host) => new URL(`http://${host}`).host)}">${name}</a>`.replace(
        /"http:\/\/([^"/]*)/,
        (_, host) => `"http://${/[^\0-\x7f]/.test(host) ? new URL(`http://${host}`).host : host}`,
      ),
    ]),
  ),
)

const SCHEMES = [
  'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=a',
  'irc://irc.example.org/#parley',
  'ircs://irc.example.org:6697/parley',
  'ssh://git@example.com:22/a.git',
  'sftp://example.com/a',
  'matrix:r/parley:example.org',
  'matrix:u/ann:example.org?action=chat',
  'geo:52.5200,13.4050',
  'webcal://example.com/a.ics',
  'news:comp.lang.misc',
  'nntp://news.example.com/comp.lang.misc',
  'urn:isbn:0451450523',
  'mid:960830.1639@example.com',
  'sip:ann@example.com',
  'xmpp:ann@example.com',
  'im:ann@example.com',
  'tel:+4930123456',
  'sms:+4930123456',
]
const shown = (address: string): string => address.replaceAll('&', '&amp;')

describeCases(
  'addresses of registered schemes are links, bare and with a text',
  inParagraph([
    ...SCHEMES.map((address) => [address, linked(shown(address))] as const),
    ...SCHEMES.map((address) => [`[a](${address})`, `<a href="${shown(address)}">a</a>`] as const),
    ['(see geo:1,2).', `(see ${linked('geo:1,2')}).`],
    ['GEO:1,2', '<a href="geo:1,2">GEO:1,2</a>'],
  ]),
)

describeCases(
  'addresses of programs are links only with a text',
  inParagraph([
    ['[a](obsidian://open?vault=b)', '<a href="obsidian://open?vault=b">a</a>'],
    ['[a](zotero://select/library/items/B)', '<a href="zotero://select/library/items/B">a</a>'],
    ['[a](logseq://graph/b)', '<a href="logseq://graph/b">a</a>'],
    ['obsidian://open', 'obsidian://open'],
  ]),
)

describeCases(
  'words before a colon are no schemes',
  inParagraph([
    [
      'news:today geo:political mid:week urn:x tel:me sms:you im:sure',
      'news:today geo:political mid:week urn:x tel:me sms:you im:sure',
    ],
    ['magnet: matrix:a irc: ssh:x', 'magnet: matrix:a irc: ssh:x'],
  ]),
)

describeCases(
  'files of the reader’s own machine are no links, since no browser opens them and each reader has others',
  inParagraph([
    ['[x](file:///etc/passwd)', '[x](file:///etc/passwd)'],
    ['[x](FILE:///C:/a.txt)', '[x](FILE:///C:/a.txt)'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
  ]),
)

describeCases(
  'a bar directly after a host makes it text',
  inParagraph([
    ['https://e.com|x', 'https://e.com|x'],
    ['e.com|x', 'e.com|x'],
    ['https://e.com/a|b', linked('https://e.com/a|b')],
    ['https://e.com=x https://e.com$ https://e.com^', 'https://e.com=x https://e.com$ https://e.com^'],
  ]),
)

describeCases(
  'tildes and stars inside an address stay in it',
  inParagraph([
    ['https://e.com/~ann/a~~b~~c', linked('https://e.com/~ann/a~~b~~c')],
    ['https://e.com/a**b**c*d*e', linked('https://e.com/a**b**c*d*e')],
    ['e.com/~~a~~/b', '<a href="http://e.com/~~a~~/b">e.com/~~a~~/b</a>'],
    ['**https://e.com/a*b**', `<strong>${linked('https://e.com/a*b')}</strong>`],
    ['~~https://e.com/a~b~~', `<del>${linked('https://e.com/a~b')}</del>`],
    ['*see https://e.com/*a*', `<em>see ${linked('https://e.com/*a')}</em>`],
    ['[a](https://e.com/~~b~~*c*)', '<a href="https://e.com/~~b~~*c*">a</a>'],
  ]),
)

describeCases(
  'links into the realm itself',
  inParagraph([
    [
      'https://chat.example.com/#narrow/channel/9-announce/topic/x',
      '<a href="#narrow/channel/9-announce/topic/x">https://chat.example.com/#narrow/channel/9-announce/topic/x</a>',
    ],
    ['[a](https://chat.example.com/#settings)', '<a href="#settings">a</a>'],
    ['[a](https://chat.example.com/user_uploads/2/ab/a.txt)', '<a href="/user_uploads/2/ab/a.txt">a</a>'],
    ['[a](https://chat.example.com/help/)', '<a href="https://chat.example.com/help/">a</a>'],
    [
      '[a](https://chat.example.com.evil.test/#narrow/x)',
      '<a href="https://chat.example.com.evil.test/#narrow/x">a</a>',
    ],
  ]),
)

describe('what a message links to', () => {
  const { uploadPaths, hasLink, hasImage } = renderMarkdown(
    [
      '[a.txt](/user_uploads/2/ab/a.txt) [again](/user_uploads/2/ab/a.txt)',
      '[b](https://chat.example.com/user_uploads/2/cd/na%20me.png)',
      '> [c](/user_uploads/2/ef/quoted.pdf)',
      '`/user_uploads/2/code/x.png` [t](/user_uploads/thumbnail/2/t.png/840x560.webp)',
      '![d](/user_uploads/2/gh/sound.mp3)',
    ].join('\n\n'),
    lookups,
  )

  it('names each upload once, decoded', () => {
    expect(uploadPaths).toEqual(
      expect.arrayContaining(['2/ab/a.txt', '2/cd/na me.png', '2/ef/quoted.pdf', '2/gh/sound.mp3']),
    )
    expect(uploadPaths).toHaveLength(4)
  })

  it('has a link and an image', () => {
    expect({ hasLink, hasImage }).toEqual({ hasLink: true, hasImage: true })
  })

  it.each([
    ['plain', false],
    ['`https://example.com`', false],
    ['@**Iago** #**announce**', false],
    ['https://example.com', true],
    ['> [a](/b)', true],
    ['ada@example.com', true],
  ])('%s: has a link: %s', (source, expected) => {
    expect(renderMarkdown(source, lookups).hasLink).toBe(expected)
  })

  it.each([
    ['https://example.com/a.png', true, true],
    ['https://example.com/a.png', false, false],
    ['[a](/user_uploads/2/a.png)', false, true],
    ['> [a](/user_uploads/2/a.png)', true, false],
    ['https://example.com/a.txt', true, false],
  ])('%s with previews %s: has an image: %s', (source, inlineImagePreview, expected) => {
    expect(renderMarkdown(source, { ...lookups, inlineImagePreview }).hasImage).toBe(expected)
  })
})

describe('thousands of brackets that make no link', () => {
  it.each(['[', '![', '[a', '![](', '[a](b', '[[]'])('are looked at a few times each: %s', (sign) => {
    const text = sign.repeat(10_000 / sign.length)
    const look = vi.spyOn(sharedParser().inline, 'skipToken')
    renderMarkdown(`${text}](`, lookups)
    expect(look.mock.calls.length).toBeLessThan(4 * text.length)
    look.mockRestore()
  })
})
