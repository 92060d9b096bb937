import { describe, expect, it } from 'vitest'
import { contentHtmlDiff } from '../../src/markdown/content-diff.ts'
import { sharedParser } from '../../src/markdown/parser.ts'
import { plainTextOf } from '../../src/markdown/plain-text.ts'
import { type MarkdownLookups, renderMarkdown, type WebsitePreview } from '../../src/markdown/render.ts'
import { withoutEntities } from '../../src/markdown/rules/emphasis.ts'
import { violationsOf } from './allowed-html.ts'
import { describeCases, rendered } from './describe-cases.ts'
import { lookups } from './lookups.ts'
import { xssVectors } from './xss-vectors.ts'

const rock = 'https://rock.example/'
const whole: WebsitePreview = {
  title: 'The Rock',
  description: 'An "island" & a <prison>.',
  imageUrl: 'https://img.example/rock.jpg?a=1&b=2',
}

const image = (href: string, url: string): string =>
  `<a class="message_embed_image" href="${href}" style="background-image: url(&quot;${url}&quot;)"></a>`
const embed = (href: string): string =>
  `<div class="message_embed">${image(href, 'https://img.example/rock.jpg?a=1&amp;b=2')}<div class="data-container"><div class="message_embed_title"><a href="${href}" title="The Rock">The Rock</a></div><div class="message_embed_description">An "island" &amp; a &lt;prison&gt;.</div></div></div>`
const link = (href: string, text = href): string => `<a href="${href}">${text}</a>`

/** An organization that has fetched all websites, and found the same page at each. */
const seen = (preview: WebsitePreview | null | undefined = whole): Partial<MarkdownLookups> => ({
  websitePreview: () => preview,
})

describeCases(
  'previews of websites',
  [
    [rock, `<p>${link(rock)}</p>\n${embed(rock)}`],
    [`[named](${rock}) link`, `<p>${link(rock, 'named')} link</p>\n${embed(rock)}`],
    [`${rock} ${rock}\n\nx`, `<p>${link(rock)} ${link(rock)}</p>\n${embed(rock)}<p>x</p>`],
    [
      `${rock}a https://example.com/b.png ${rock}c`,
      `<p>${link(`${rock}a`)} ${link('https://example.com/b.png')} ${link(`${rock}c`)}</p>\n${embed(`${rock}a`)}<div class="message_inline_image"><a href="https://example.com/b.png"><img src="https://example.com/b.png"></a></div>${embed(`${rock}c`)}`,
    ],
    [`* ${rock}`, `<ul>\n<li>${link(rock)}${embed(rock)}</li>\n</ul>`],
    [
      `\`\`\`spoiler a\n${rock}\n\`\`\``,
      `<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>${link(rock)}</p>\n${embed(rock)}</div></div>`,
    ],
    [`> ${rock}`, `<blockquote>\n<p>${link(rock)}</p>\n</blockquote>`],
    [`\`${rock}\``, `<p><code>${rock}</code></p>`],
    [
      'https://youtu.be/aqz-KE-bpKQ',
      `<p>${link('https://youtu.be/aqz-KE-bpKQ')}</p>\n<div class="youtube-video message_inline_image"><a data-id="aqz-KE-bpKQ" href="https://youtu.be/aqz-KE-bpKQ"><img src="https://i.ytimg.com/vi/aqz-KE-bpKQ/default.jpg"></a></div>`,
    ],
    ['https://example.com/a.mp3', `<p>${link('https://example.com/a.mp3')}</p>`],
    ['[mail](mailto:a@example.com)', `<p>${link('mailto:a@example.com', 'mail')}</p>`],
    ['[file](ftp://example.com/)', `<p>${link('ftp://example.com/', 'file')}</p>`],
    ['https://chat.example.com/help', `<p>${link('https://chat.example.com/help')}</p>`],
    [
      '#**announce**',
      '<p><a class="stream" data-stream-id="9" href="/#narrow/channel/9-announce">#announce</a></p>',
    ],
  ],
  seen(),
)

describeCases(
  'websites where media are not shown',
  [
    ['https://example.com/a.png', `<p>${link('https://example.com/a.png')}</p>`],
    [
      'https://youtu.be/aqz-KE-bpKQ',
      `<p>${link('https://youtu.be/aqz-KE-bpKQ')}</p>\n${embed('https://youtu.be/aqz-KE-bpKQ')}`,
    ],
  ],
  { ...seen(), inlineImagePreview: false },
)

describe('a website', () => {
  const result = (source: string, changes: Partial<MarkdownLookups>) =>
    renderMarkdown(source, { ...lookups, ...changes })
  const plain = `<p>${link(rock)}</p>`

  it('is only linked where there are no previews', () => {
    expect(result(rock, {})).toMatchObject({ html: plain, unseenWebsites: [] })
  })

  it('that was not fetched is reported as pending', () => {
    expect(result(rock, { websitePreview: () => undefined })).toMatchObject({
      html: plain,
      unseenWebsites: [rock],
      hasLink: true,
      hasImage: false,
    })
  })

  it('without a usable preview is only linked', () => {
    expect(result(rock, seen(null))).toMatchObject({ html: plain, unseenWebsites: [] })
  })

  it('with a preview does not count as an image', () => {
    expect(result(rock, seen())).toMatchObject({ hasLink: true, hasImage: false, unseenWebsites: [] })
  })

  it('is shown for the first five addresses only', () => {
    const source = [1, 2, 3, 4, 5, 6].map((number) => `${rock}${number}`).join(' ')
    expect(result(source, seen()).html.match(/class="message_embed"/g)).toHaveLength(5)
    expect(result(source, { websitePreview: () => undefined }).unseenWebsites).toEqual(
      [1, 2, 3, 4, 5].map((number) => `${rock}${number}`),
    )
  })

  it.each(['javascript:alert(1)', 'data:image/png;base64,x', '//img.example/a.png', 'a.png', '', 'https://'])(
    'without an image on the web has no preview: %s',
    (imageUrl) => {
      expect(result(rock, seen({ ...whole, imageUrl })).html).toBe(plain)
    },
  )

  it('is shown with its title and description', () => {
    const picture = { imageUrl: whole.imageUrl, title: '', description: '' }
    const box = (content: string) =>
      `${plain}\n<div class="message_embed">${image(rock, 'https://img.example/rock.jpg?a=1&amp;b=2')}<div class="data-container">${content}</div></div>`
    expect(rendered(rock, seen(picture))).toBe(box(''))
    expect(rendered(rock, seen({ ...picture, title: ' a\n b\0c ' }))).toBe(
      box(`<div class="message_embed_title"><a href="${rock}" title="a b c">a b c</a></div>`),
    )
    expect(rendered(rock, seen({ ...picture, description: '😀'.repeat(513) }))).toBe(
      box(`<div class="message_embed_description">${'😀'.repeat(511)}…</div>`),
    )
  })

  it.each([
    ['https://img.example/a"b', 'https://img.example/a%22b'],
    [`https://img.example/?a\\"'<b>)`, 'https://img.example/?a%5C%22%27%3Cb%3E)'],
    ['https://img.example/#a\\', 'https://img.example/#a%5C'],
    ['HTTPS://IMG.example/\na b', 'https://img.example/a%20b'],
    ['http://bücher.example/ü', 'http://xn--bcher-kva.example/%C3%BC'],
  ])('has an image whose URL cannot end a string: %s', (imageUrl, written) => {
    const html = rendered(rock, seen({ ...whole, imageUrl }))
    expect(html).toContain(image(rock, written))
    expect(violationsOf(html)).toEqual([])
  })

  it.each(xssVectors.map((vector) => ({ vector })))(
    'cannot break out of its preview: $vector',
    ({ vector }) => {
      const hostile = [vector, `https://img.example/${vector}`].map((imageUrl) => ({
        imageUrl,
        title: vector,
        description: vector,
      }))
      for (const preview of [...hostile, { ...whole, title: vector, description: vector }]) {
        const html = rendered(`${rock}\n\n[${vector}](${rock}?a)`, seen(preview))
        expect(violationsOf(html)).toEqual([])
        const diff = contentHtmlDiff(rendered('x'), html)
        expect(violationsOf(diff.replace(/^<div>|<\/div>$/g, ''))).toEqual([])
      }
    },
  )

  it('is in the plain text with its title and description', () => {
    expect(plainTextOf(rendered(rock, seen()), { hideSpoilers: true })).toBe(
      `${rock}\nThe Rock\nAn "island" & a <prison>.`,
    )
  })
})

describe('entities of a page', () => {
  it.each([
    ['a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#x27;', `a & b <c> "d" 'e'`],
    ['&mdash;&nbsp;&eacute;&#128512;', '—\u00a0é😀'],
    ['C:\\*\\&amp;\\', 'C:\\*\\&\\'],
    ['&nothing; &amp &#0;', '&nothing; &amp &#0;'],
  ])('%s', (html, text) => {
    expect(withoutEntities(sharedParser(), html)).toBe(text)
  })
})
