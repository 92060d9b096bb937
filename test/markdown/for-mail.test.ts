import { describe, expect, it } from 'vitest'
import { htmlForMail, textForMail } from '../../src/markdown/for-mail.ts'
import { momentsFor } from '../../src/model/users/settings/reader-clock.ts'
import { rendered } from './describe-cases.ts'
import { xssVectors } from './xss-vectors.ts'

const momentOf = momentsFor({ settings: { default_language: 'de' }, timezone: 'Europe/Berlin' })
const rendering = { origin: 'https://chat.example.com', hidden: '(hidden)', momentOf }
const html = (source: string): string => htmlForMail(rendered(source), rendering)
const text = (source: string): string => textForMail(rendered(source), rendering)

describe('a message in a mail', () => {
  it.each([
    ['plain & *bold*', '<p>plain &amp; <em>bold</em></p>', 'plain & bold'],
    [
      '[here](https://example.com/x?a=1&b=2)',
      '<p><a href="https://example.com/x?a=1&amp;b=2">here</a></p>',
      'here (https://example.com/x?a=1&b=2)',
    ],
    [
      'https://example.com/x',
      '<p><a href="https://example.com/x">https://example.com/x</a></p>',
      'https://example.com/x',
    ],
    [':smile: :parley:', '<p>😄 :parley:</p>', '😄 :parley:'],
    ['$$x < 2$$', '<p><code>x &lt; 2</code></p>', 'x < 2'],
    ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>', 'a\nb'],
    ['@**Iago** hi', '<p><strong>@Iago</strong> hi</p>', '@Iago hi'],
  ])('%j', (source, inHtml, inText) => {
    expect(html(source)).toBe(inHtml)
    expect(text(source)).toBe(inText)
  })

  it('has moments in the zone and the language of its reader', () => {
    const [source, shown] = ['at <time:2026-05-18T14:00:00Z>!', /^at Montag, 18\. Mai 2026 um 4:00 PM MESZ!$/]
    expect(text(source)).toMatch(shown)
    expect(html(source).replaceAll(/<\/?p>/g, '')).toMatch(shown)
    expect(text('at <time:nonsense>')).toContain('nonsense')
  })

  it('has whole links into the organization', () => {
    expect(html('#**announce>a>b**')).toContain('href="https://chat.example.com/#narrow/channel/')
    expect(html('[file](/user_uploads/2/x/y.txt)')).toContain(
      'href="https://chat.example.com/user_uploads/2/x/y.txt"',
    )
  })

  it('has links in place of images, and nothing to be loaded', () => {
    const picture = 'https://example.com/a.png'
    expect(html(picture)).toBe(`<p><a href="${picture}">${picture}</a></p>`)
    expect(text(picture)).toBe(picture)
    expect(html(`see [it](${picture})`).match(/a\.png"/g)).toHaveLength(1)
  })

  it('does not reveal a spoiler', () => {
    const source = '```spoiler head\nsecret **x** [y](https://secret.example)\n```\nafter'
    for (const mail of [html(source), text(source)]) {
      expect(mail).toContain('head')
      expect(mail).toContain('(hidden)')
      expect(mail).toContain('after')
      expect(mail).not.toContain('secret')
    }
  })

  it('has only basic tags, whatever was written', () => {
    for (const source of xssVectors) {
      const tags = [...html(source).matchAll(/<\/?([^\s>]+)([^>]*)>/g)]
      for (const [, tag, attributes] of tags) {
        expect(tag).toMatch(
          /^(p|br|hr|[uo]l|li|blockquote|pre|code|em|strong|del|h[1-6]|table|t[rhd]|thead|tbody|a)$/,
        )
        expect(attributes).toMatch(/^( (href|start|style)="[^"]*")*$/)
        // Within a web address the mention is ordinary text.
        expect(attributes).not.toMatch(/"[^a-z]*javascript:/i)
      }
    }
  })
})
