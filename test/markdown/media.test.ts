import { describe, expect, it } from 'vitest'
import { violationsOf } from './allowed-html.ts'
import { describeCases, rendered } from './describe-cases.ts'

const image = (href: string, title = ''): string =>
  `<div class="message_inline_image"><a href="${href}"${title === '' ? '' : ` title="${title}"`}><img src="${href}"></a></div>`
const video = (href: string, title = ''): string =>
  `<div class="message_inline_image message_inline_video"><a href="${href}"${title === '' ? '' : ` title="${title}"`}><video preload="metadata" src="${href}"></video></a></div>`

describeCases('previews of images', [
  ['https://example.com/a.png', image('https://example.com/a.png')],
  ['https://example.com/a.PNG?v=1#x', image('https://example.com/a.PNG?v=1#x')],
  [
    'see https://example.com/a.png',
    `<p>see <a href="https://example.com/a.png">https://example.com/a.png</a></p>\n${image('https://example.com/a.png')}`,
  ],
  [
    '[image.jpg](/user_uploads/2/9b/image.jpg)',
    `<p><a href="/user_uploads/2/9b/image.jpg">image.jpg</a></p>\n${image('/user_uploads/2/9b/image.jpg', 'image.jpg')}`,
  ],
  [
    '[a.jpg](/user_uploads/2/a.jpg)\n[b.jpg](/user_uploads/2/b.jpg)',
    `<p><a href="/user_uploads/2/a.jpg">a.jpg</a><br>\n<a href="/user_uploads/2/b.jpg">b.jpg</a></p>\n${image('/user_uploads/2/a.jpg', 'a.jpg')}${image('/user_uploads/2/b.jpg', 'b.jpg')}`,
  ],
  [
    'https://a.example/1.png\nhttps://a.example/2.png\n\nmore',
    `<p><a href="https://a.example/1.png">https://a.example/1.png</a><br>\n<a href="https://a.example/2.png">https://a.example/2.png</a></p>\n${image('https://a.example/1.png')}${image('https://a.example/2.png')}<p>more</p>`,
  ],
  [
    '[i](/a.png) [i](/a.png)',
    `<p><a href="/a.png">i</a> <a href="/a.png">i</a></p>\n${image('/a.png', 'i')}`,
  ],
  ['* https://example.com/a.png', `<ul>\n<li>${image('https://example.com/a.png')}</li>\n</ul>`],
  [
    '* [i](/a.png) text\n* b',
    `<ul>\n<li><a href="/a.png">i</a> text${image('/a.png', 'i')}</li>\n<li>b</li>\n</ul>`,
  ],
  [
    '| a |\n| - |\n| [i.jpg](/i.jpg) |',
    `<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><a href="/i.jpg">i.jpg</a></td>\n</tr>\n</tbody>\n</table>\n${image('/i.jpg', 'i.jpg')}`,
  ],
  ['# [i](/a.png)', `<h1><a href="/a.png">i</a></h1>\n${image('/a.png', 'i')}`],
  [
    '> https://example.com/a.png',
    '<blockquote>\n<p><a href="https://example.com/a.png">https://example.com/a.png</a></p>\n</blockquote>',
  ],
  ['```quote\n[i](/a.png)\n```', '<blockquote>\n<p><a href="/a.png">i</a></p>\n</blockquote>'],
  [
    '```spoiler [image](https://example.com/i.png)\nhello\n```',
    `<div class="spoiler-block"><div class="spoiler-header">\n<p><a href="https://example.com/i.png">image</a></p>\n${image('https://example.com/i.png', 'image')}</div><div class="spoiler-content" aria-hidden="true">\n<p>hello</p>\n</div></div>`,
  ],
  ['`https://example.com/a.png`', '<p><code>https://example.com/a.png</code></p>'],
  ['[x](https://example.com/a.svg)', '<p><a href="https://example.com/a.svg">x</a></p>'],
  ['[x](mailto:a.png)', '<p><a href="mailto:a.png">x</a></p>'],
  [
    '[a "b" <c>](/d.png)',
    `<p><a href="/d.png">a "b" &lt;c&gt;</a></p>\n${image('/d.png', 'a &quot;b&quot; &lt;c&gt;')}`,
  ],
])

/** An uploaded picture in its place in the text. */
const picture = (alt: string): string =>
  `<img alt="${alt}" class="inline-image" data-original-content-type="image/png" data-original-dimensions="3840x2160" data-original-src="/user_uploads/2/9b/k/imageé.png" src="/user_uploads/thumbnail/2/9b/k/image%C3%A9.png/840x560.webp">`

const thumbnail = (href: string, title = ''): string => {
  const img = `<img data-original-content-type="image/png" data-original-dimensions="3840x2160" src="/user_uploads/thumbnail/2/9b/k/image%C3%A9.png/840x560.webp">`
  return `<div class="message_inline_image"><a href="${href}"${title === '' ? '' : ` title="${title}"`}>${img}</a></div>`
}

describeCases(
  'previews of uploaded pictures of which the size is known',
  [
    [
      '[a](/user_uploads/2/9b/k/imageé.png)',
      `<p><a href="/user_uploads/2/9b/k/imageé.png">a</a></p>\n${thumbnail('/user_uploads/2/9b/k/imageé.png', 'a')}`,
    ],
    [
      'https://chat.example.com/user_uploads/download/2/9b/k/image%C3%A9.png?x=1#y',
      thumbnail('/user_uploads/download/2/9b/k/image%C3%A9.png?x=1#y'),
    ],
    ['![a](user_uploads/2/9b/k/imageé.png)', `<p>${picture('a')}</p>`],
    [
      'a ![](/user_uploads/2/9b/k/imageé.png) b\n\n* ![c](/user_uploads/2/9b/k/imageé.png)',
      `<p>a ${picture('')} b</p>\n<ul>\n<li>${picture('c')}</li>\n</ul>`,
    ],
    [
      '> ![a"<b](/user_uploads/2/9b/k/imageé.png)',
      `<blockquote>\n<p>${picture('a&quot;&lt;b')}</p>\n</blockquote>`,
    ],
    [
      '![b](/user_uploads/2/9b/k/other.png)',
      `<p><a href="/user_uploads/2/9b/k/other.png">b</a></p>\n${image('/user_uploads/2/9b/k/other.png', 'b')}`,
    ],
    [
      '![b](https://example.com/2/9b/k/imageé.png)',
      `<p><a href="https://example.com/2/9b/k/imageé.png">b</a></p>\n${image('https://example.com/2/9b/k/imageé.png', 'b')}`,
    ],
    [
      '[b](/user_uploads/2/9b/k/other.png)',
      `<p><a href="/user_uploads/2/9b/k/other.png">b</a></p>\n${image('/user_uploads/2/9b/k/other.png', 'b')}`,
    ],
    ['https://example.com/2/9b/k/imageé.png', image('https://example.com/2/9b/k/imageé.png')],
    [
      '[c](/user_uploads/thumbnail/2/9b/k/imageé.png)',
      `<p><a href="/user_uploads/thumbnail/2/9b/k/imageé.png">c</a></p>\n${image('/user_uploads/thumbnail/2/9b/k/imageé.png', 'c')}`,
    ],
  ],
  {
    uploadedImage: (path) =>
      path === '2/9b/k/imageé.png'
        ? {
            contentType: 'image/png',
            width: 3840,
            height: 2160,
            thumbnailUrl: '/user_uploads/thumbnail/2/9b/k/image%C3%A9.png/840x560.webp',
          }
        : undefined,
  },
)

describeCases('previews of videos', [
  [
    '[v.webm](/user_uploads/2/v.webm)',
    `<p><a href="/user_uploads/2/v.webm">v.webm</a></p>\n${video('/user_uploads/2/v.webm', 'v.webm')}`,
  ],
  ['https://example.com/v.mp4', video('https://example.com/v.mp4')],
  [
    'see https://example.com/v.mp4',
    `<p>see <a href="https://example.com/v.mp4">https://example.com/v.mp4</a></p>\n${video('https://example.com/v.mp4')}`,
  ],
  ['* https://example.com/v.mov', `<ul>\n<li>${video('https://example.com/v.mov')}</li>\n</ul>`],
  [
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
    '<p><a href="https://www.youtube.com/watch?v=aqz-KE-bpKQ">https://www.youtube.com/watch?v=aqz-KE-bpKQ</a></p>\n<div class="youtube-video message_inline_image"><a data-id="aqz-KE-bpKQ" href="https://www.youtube.com/watch?v=aqz-KE-bpKQ"><img src="https://i.ytimg.com/vi/aqz-KE-bpKQ/default.jpg"></a></div>',
  ],
  [
    'https://youtu.be/aqz-KE-bpKQ?t=3',
    '<p><a href="https://youtu.be/aqz-KE-bpKQ?t=3">https://youtu.be/aqz-KE-bpKQ?t=3</a></p>\n<div class="youtube-video message_inline_image"><a data-id="aqz-KE-bpKQ" href="https://youtu.be/aqz-KE-bpKQ?t=3"><img src="https://i.ytimg.com/vi/aqz-KE-bpKQ/default.jpg"></a></div>',
  ],
  [
    'https://www.youtube.com/channel/x',
    '<p><a href="https://www.youtube.com/channel/x">https://www.youtube.com/channel/x</a></p>',
  ],
  ['https://vimeo.com/1084537', '<p><a href="https://vimeo.com/1084537">https://vimeo.com/1084537</a></p>'],
])

/** A picture below a link, and the addresses of the picture and of what it leads to. */
const shown = (href: string, source: string, link = href): [string, string] => [
  `see ${href}`,
  `<p>see <a href="${href}">${href}</a></p>\n<div class="message_inline_image"><a href="${link}"><img src="${source}"></a></div>`,
]
const notShown = (href: string): [string, string] => [
  `see ${href}`,
  `<p>see <a href="${href}">${href}</a></p>`,
]

describeCases('pictures behind pages are shown by their own address or not at all', [
  shown('https://github.com/o/r/blob/main/a/b.png', 'https://raw.githubusercontent.com/o/r/main/a/b.png'),
  shown('https://github.com/o/r/raw/main/b.png', 'https://github.com/o/r/raw/main/b.png'),
  notShown('https://github.com/o/r/blame/main/b.png'),
  shown('https://gitlab.com/o/s/r/-/blob/main/b.png', 'https://gitlab.com/o/s/r/-/raw/main/b.png'),
  shown('https://bitbucket.org/o/r/src/main/b.png', 'https://bitbucket.org/o/r/raw/main/b.png'),
  shown(
    'https://en.wikipedia.org/wiki/File:A_b.jpg',
    'https://en.wikipedia.org/wiki/Special:FilePath/File:A_b.jpg',
    'https://en.wikipedia.org/wiki/Special:FilePath/File:A_b.jpg',
  ),
  notShown('https://de.wikipedia.org/wiki/Datei:A_b.jpg'),
  notShown('https://en.wikipedia.org/wiki/File:A_b.webm'),
  notShown('https://commons.wikimedia.org/wiki/File:A_b.mp4'),
  shown('https://upload.wikimedia.org/a/b.jpg', 'https://upload.wikimedia.org/a/b.jpg'),
  shown('https://www.dropbox.com/s/abc/b.png?dl=0', 'https://www.dropbox.com/s/abc/b.png?raw=1'),
  [
    '[b](https://www.dropbox.com/scl/fi/abc/b.png?rlkey=k&dl=0)',
    `<p><a href="https://www.dropbox.com/scl/fi/abc/b.png?rlkey=k&amp;dl=0">b</a></p>\n<div class="message_inline_image"><a href="https://www.dropbox.com/scl/fi/abc/b.png?rlkey=k&amp;dl=0" title="b"><img src="https://www.dropbox.com/scl/fi/abc/b.png?rlkey=k&amp;raw=1"></a></div>`,
  ],
  notShown('https://www.dropbox.com/home/b.png'),
  notShown('https://pasteboard.co/b.png'),
  shown(
    'https://github.com.evil.example/o/r/blob/main/b.png',
    'https://github.com.evil.example/o/r/blob/main/b.png',
  ),
])

describeCases('media syntax', [
  [
    '![crab-rave.mp3](/user_uploads/2/f2/crab-rave.mp3)',
    '<p><audio controls="" preload="metadata" src="/user_uploads/2/f2/crab-rave.mp3" title="crab-rave.mp3"></audio></p>',
  ],
  [
    '![](/user_uploads/2/f2/crab-rave.mp3)',
    '<p><audio controls="" preload="metadata" src="/user_uploads/2/f2/crab-rave.mp3"></audio></p>',
  ],
  [
    'a ![x.wav](/user_uploads/2/x.wav) b',
    '<p>a <audio controls="" preload="metadata" src="/user_uploads/2/x.wav" title="x.wav"></audio> b</p>',
  ],
  ['[x.wav](/user_uploads/2/x.wav)', '<p><a href="/user_uploads/2/x.wav">x.wav</a></p>'],
  [
    '![x.mp3](https://example.com/x.mp3)',
    '<p><audio controls="" preload="metadata" src="https://example.com/x.mp3" title="x.mp3"></audio></p>',
  ],
  ['[x.mp3](https://example.com/x.mp3)', '<p><a href="https://example.com/x.mp3">x.mp3</a></p>'],
  [
    '![a](/user_uploads/2/a.png)',
    `<p><a href="/user_uploads/2/a.png">a</a></p>\n${image('/user_uploads/2/a.png', 'a')}`,
  ],
  ['![a](javascript:alert(1))', '<p>![a](javascript:alert(1))</p>'],
  ['![a]', '<p>![a]</p>'],
  ['a! [b](/c)', '<p>a! <a href="/c">b</a></p>'],
])

describeCases(
  'without previews',
  [
    ['https://example.com/a.png', '<p><a href="https://example.com/a.png">https://example.com/a.png</a></p>'],
    ['[v.webm](/user_uploads/2/v.webm)', '<p><a href="/user_uploads/2/v.webm">v.webm</a></p>'],
    [
      'https://youtu.be/aqz-KE-bpKQ',
      '<p><a href="https://youtu.be/aqz-KE-bpKQ">https://youtu.be/aqz-KE-bpKQ</a></p>',
    ],
  ],
  { inlineImagePreview: false },
)

describe('the number of previews', () => {
  const links = (count: number) => Array.from({ length: count }, (_, index) => `[i](/${index}.png)`).join(' ')

  it('goes up to 24', () => {
    expect(rendered(links(24)).match(/message_inline_image/g)).toHaveLength(24)
  })

  it('is zero beyond that', () => {
    expect(rendered(links(25))).not.toContain('message_inline_image')
  })
})

/** Shows the pictures of other servers as this server would. */
const through = (address: string) => `/external_content/${address.length}/${address.split('/').length}`
const external = {
  externalPicture: (address: string) => (address.length > 60 ? undefined : through(address)),
}
const proxied = (href: string, source = through(href)) =>
  `<div class="message_inline_image"><a href="${href}"><img src="${source}"></a></div>`

describeCases(
  'pictures of other servers that come through this one',
  [
    ['https://example.com/a.png', proxied('https://example.com/a.png')],
    [
      'https://example.com/é.png',
      proxied('https://example.com/é.png', through('https://example.com/%C3%A9.png')),
    ],
    [
      'see https://github.com/o/r/blob/main/a/b.png',
      `<p>see <a href="https://github.com/o/r/blob/main/a/b.png">https://github.com/o/r/blob/main/a/b.png</a></p>\n${proxied('https://github.com/o/r/blob/main/a/b.png', through('https://raw.githubusercontent.com/o/r/main/a/b.png'))}`,
    ],
    [
      'https://example.com/v.mp4',
      `<div class="message_inline_image message_inline_video"><a href="https://example.com/v.mp4"><video data-video-original-url="https://example.com/v.mp4" preload="metadata" src="${through('https://example.com/v.mp4')}"></video></a></div>`,
    ],
    [
      'https://youtu.be/aqz-KE-bpKQ',
      `<p><a href="https://youtu.be/aqz-KE-bpKQ">https://youtu.be/aqz-KE-bpKQ</a></p>\n<div class="youtube-video message_inline_image"><a data-id="aqz-KE-bpKQ" href="https://youtu.be/aqz-KE-bpKQ"><img src="${through('https://i.ytimg.com/vi/aqz-KE-bpKQ/default.jpg')}"></a></div>`,
    ],
    [
      '![x.mp3](https://example.com/x.mp3)',
      `<p><audio controls="" data-original-url="https://example.com/x.mp3" preload="metadata" src="${through('https://example.com/x.mp3')}" title="x.mp3"></audio></p>`,
    ],
    [
      `![x](https://example.com/${'a'.repeat(60)}.mp3)`,
      `<p><a href="https://example.com/${'a'.repeat(60)}.mp3">x</a></p>`,
    ],
    // Pictures of the organization itself are loaded directly; files that cannot be shown become links.
    ['https://chat.example.com/a.png', image('https://chat.example.com/a.png')],
    [
      '[a](/user_uploads/2/a.png)',
      `<p><a href="/user_uploads/2/a.png">a</a></p>\n${image('/user_uploads/2/a.png', 'a')}`,
    ],
    [
      `https://example.com/${'a'.repeat(60)}.png`,
      `<p><a href="https://example.com/${'a'.repeat(60)}.png">https://example.com/${'a'.repeat(60)}.png</a></p>`,
    ],
  ],
  external,
)

it('images loaded through this server have allowed markup', () => {
  const source = 'https://example.com/a.png https://example.com/v.mp4 https://youtu.be/aqz-KE-bpKQ'
  expect(violationsOf(rendered(source, external))).toEqual([])
})
