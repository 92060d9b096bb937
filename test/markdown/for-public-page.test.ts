import { describe, expect, it } from 'vitest'
import { htmlForPublicPage } from '../../src/markdown/for-public-page.ts'
import { rendered } from './describe-cases.ts'

const shown = (source: string) => htmlForPublicPage(rendered(source))

/** The HTML that is allowed: no attribute that runs code, styles, or loads from elsewhere. */
const ALLOWED =
  /^<(?:\/?(?:p|br|hr|ul|ol|li|blockquote|pre|code|em|strong|del|h[1-6]|table|thead|tbody|tr|th|td|details|summary|div|time|a)|(?:p|li|blockquote|h[1-6]|th|td|summary) dir="auto"|pre dir="ltr" tabindex="0"|table tabindex="0"|ol start="\d+"|time datetime="[^"<>]*"|a href="(?:\/(?!\/)|https?:|mailto:)[^"<>]*"(?: rel="nofollow ugc noopener noreferrer")?|img src="\/(?:user_uploads|user_avatars|external_content)\/[^"<>]*" alt="[^"<>]*" loading="lazy"(?: class="emoji")?)>$/i
const MATH =
  /^<\/?(?:math|semantics|m(?:row|i|n|o|s|text|space|frac|sqrt|root|sup|sub|subsup|over|under|underover|table|tr|td|style|padded|phantom|enclose|error))(?: [a-z]+="[\w .#%+-]+")*>$/

describe('a message on a page without script', () => {
  it.each([
    ['plain words', 'a *b* **c** ~~d~~', '<p dir="auto">a <em>b</em> <strong>c</strong> <del>d</del></p>'],
    ['emoji', ':tada:', '<p dir="auto">🎉</p>'],
    [
      'a formula',
      '$$x^2$$',
      '<p dir="auto"><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></semantics></math></p>',
    ],
    [
      'a link out',
      '[a](https://a.example)',
      '<p dir="auto"><a href="https://a.example" rel="nofollow ugc noopener noreferrer">a</a></p>',
    ],
    ['a link within', '[a](/#narrow/channel/9)', '<p dir="auto"><a href="/#narrow/channel/9">a</a></p>'],
  ])('%s', (_name, source, html) => {
    expect(shown(source)).toBe(html)
  })

  it('has spoilers that open without script', () => {
    const html = shown('```spoiler who\nthe gardener\n```')
    expect(html).toMatch(/<details><summary dir="auto">\s*<p dir="auto">who<\/p>\s*<\/summary>/)
    expect(html.match(/<details>/g)).toHaveLength(1)
    expect(html.match(/<\/details>/g)).toHaveLength(1)
  })

  it.each([
    '<script>alert(1)</script> <img src=x onerror=alert(1)>',
    '[x](javascript:alert(1)) [y](data:text/html,x) [z](//elsewhere.example)',
    '![x](https://elsewhere.example/x.png) https://elsewhere.example/y.png',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ https://elsewhere.example/film.mp4',
    '```math\n\\color{red}{x} \\href{https://a.example}{y}\n```',
    '```python\nprint("<b>")\n```',
    '> a\n> > b\n\n3. x\n4. y\n\n* z\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n# H',
    '@**all** <time:2024-03-07T15:00:00-08:00> :tada: ~~x~~ `y`',
    '$$\\begin{matrix}a&b\\\\c&d\\end{matrix}$$ :no_such_emoji:',
  ])('of %s has only allowed tags, all of them closed', (source) => {
    const html = shown(source)
    const tags = html.match(/<[^>]*>/g) ?? []
    expect(
      tags.filter(
        (tag) => !ALLOWED.test(tag) && !(MATH.test(tag) && !/ (?:href|src|style|on\w*)=/.test(tag)),
      ),
    ).toEqual([])
    const open = tags.filter((tag) => !/^<(?:\/|br|hr|img)/.test(tag)).map((tag) => /^<(\w+)/.exec(tag)![1])
    const closed = tags.filter((tag) => tag.startsWith('</')).map((tag) => tag.slice(2, -1))
    expect(closed.sort()).toEqual(open.sort())
  })
})
