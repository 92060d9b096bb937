import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Parser } from 'htmlparser2'
import { describe, expect, it, vi } from 'vitest'
import { renderTex } from '../../src/markdown/rules/math.ts'
import { fromJson } from '../support/json.ts'
import { describeCases, rendered } from './describe-cases.ts'

const lambda =
  '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>λ</mi></mrow><annotation encoding="application/x-tex"> \\lambda </annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.6944em;"></span><span class="mord mathnormal">λ</span></span></span></span>'

const display = (tex: string, letter: string, height: string): string =>
  `<span class="katex-display"><span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mrow><mi>${letter}</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:${height}em;"></span><span class="mord mathnormal">${letter}</span></span></span></span></span>`

describeCases('inline formulas', [
  ['$$ \\lambda $$', `<p>${lambda}</p>`],
  ['a $$ \\lambda $$.', `<p>a ${lambda}.</p>`],
  ['($$ \\lambda $$)', `<p>(${lambda})</p>`],
  ['**$$ \\lambda $$**', `<p><strong>${lambda}</strong></p>`],
  ['> $$ \\lambda $$', `<blockquote>\n<p>${lambda}</p>\n</blockquote>`],
  [
    '| $$ \\lambda $$ |\n| - |\n| a |',
    `<table>\n<thead>\n<tr>\n<th>${lambda}</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n</tbody>\n</table>`,
  ],
  ['$$\\invalid{$$', '<p><span class="tex-error">$$\\invalid{$$</span></p>'],
  ['$$<b>\\frac$$', '<p><span class="tex-error">$$&lt;b&gt;\\frac$$</span></p>'],
  ['$x$', '<p>$x$</p>'],
  ['$$_$$ a$$_$$ $$_$$b', '<p>$$_$$ a$$_$$ $$_$$b</p>'],
  ['$$_a$$', '<p>$$_a$$</p>'],
  ['$$x', '<p>$$x</p>'],
  ['$$a\nb$$', '<p>$$a<br>\nb$$</p>'],
  ['$$  $$', '<p>$$  $$</p>'],
  ['US$$5 and US$$6', '<p>US$$5 and US$$6</p>'],
  ['$$5 or $$6', '<p>$$5 or $$6</p>'],
  ['$$$$', '<p>$$$$</p>'],
  ['$$$x$$$', '<p>$$$x$$$</p>'],
])

describeCases('blocks of formulas', [
  ['```math\n\\lambda\n```', `<p>${display('\\lambda', 'λ', '0.6944')}</p>`],
  ['~~~math\na\n~~~', `<p>${display('a', 'a', '0.4306')}</p>`],
  ['```math\na\n\nb\n```', `<p>${display('a', 'a', '0.4306')}\n\n${display('b', 'b', '0.6944')}</p>`],
  ['```MATH\na\n```', `<p>${display('a', 'a', '0.4306')}</p>`],
  ['```math\n```', ''],
  ['```math\n\\oops\n```', '<p><span class="tex-error">\\oops</span></p>'],
  ['a\n```math\na\n```\nb', `<p>a</p>\n<p>${display('a', 'a', '0.4306')}</p>\n<p>b</p>`],
  ['````quote\n```math\na\n```\n````', `<blockquote>\n<p>${display('a', 'a', '0.4306')}</p>\n</blockquote>`],
  ['* a\n  ```math\n  a\n  ```', `<ul>\n<li>a\n<p>${display('a', 'a', '0.4306')}</p>\n</li>\n</ul>`],
])

describe('formulas that would cost too much', () => {
  it.each([
    ['very long', 'x'.repeat(6000)],
    ['full of accents', 'é'.repeat(501)],
    ['full of superscripts', 'x^2'.repeat(601)],
    ['full of primes', "x'".repeat(601)],
    ['deeply nested', `${'{'.repeat(100)}x${'}'.repeat(100)}`],
    ['endless macro', '\\def\\a{\\a}\\a'],
    ['doubling macros', `${'\\def\\a#1{#1#1}'}${'\\a{'.repeat(30)}x${'}'.repeat(30)}`],
  ])('%s: shown as source', (_, tex) => {
    expect(rendered(`$$${tex}$$`)).toBe(`<p><span class="tex-error">$$${tex}$$</span></p>`)
  })

  it('primes that follow each other are one, and hundreds of superscripts are shown', () => {
    for (const tex of [`x${"'".repeat(900)}`, 'x^2'.repeat(550)]) {
      expect(rendered(`$$${tex}$$`).startsWith('<p><span class="katex">')).toBe(true)
    }
  })

  it('only those within the budget are rendered', () => {
    const html = rendered('$$x^2+y^2$$ '.repeat(800))
    expect(html.length).toBeLessThan(450_000)
    expect(html.startsWith('<p><span class="katex">')).toBe(true)
    expect(html.endsWith('<span class="tex-error">$$x^2+y^2$$</span></p>')).toBe(true)
  })

  it('macros apply only within their formula', () => {
    expect(rendered('$$\\gdef\\foo{a}\\foo$$ $$\\foo$$')).toContain(
      '<span class="tex-error">$$\\foo$$</span>',
    )
  })

  it('create no links and load nothing', () => {
    const html = rendered('$$\\href{javascript:alert(1)}{x} \\includegraphics{https://example.com/a.png}$$')
    expect(html).not.toMatch(/<a |<img|href=/)
  })
})

it('A sign that KaTeX writes as an identifier within an operator stays within the formula', () => {
  expect(rendered('$$∷$$')).toContain('<mrow><mo>∷</mo></mrow>')
})

it.each([
  '\\message{a}',
  '\\errmessage{a}',
  '\\show\\frac',
  '\\def\\a{\\message{a}}\\a',
  '\\let\\a\\show\\a x',
])('A command that prints is shown as source: %s', (tex) => {
  const printed = vi.spyOn(console, 'log')
  expect(rendered(`$$${tex}$$`)).toBe(`<p><span class="tex-error">$$${tex}$$</span></p>`)
  expect(rendered('$$\\def\\show{a}\\show$$')).toContain('<mi>a</mi>')
  expect(printed).not.toHaveBeenCalled()
})

describe('elements of MathML that hold text alone', () => {
  const own = { signs: /"((?:\\u[0-9a-f]{4})+|[^\0-\x7f])"/gi, commands: /"(\\\\(?:[a-z@]+|[^a-z"\\]))"/gi }

  /** Returns all that KaTeX's source names. */
  const named = (pattern: RegExp): string[] => {
    const source = readFileSync(fileURLToPath(import.meta.resolve('katex')), 'utf8')
    const texts = [...source.matchAll(pattern)].map(([, name]) => `"${name}"`)
    return [...new Set(fromJson<string[]>(`[${texts.join(',')}]`))]
  }

  /** Returns the names of those that have elements in them. */
  const misused = (html: string): string[] => {
    const open: string[] = []
    const found: string[] = []
    const parser = new Parser({
      onopentagname(name) {
        if (/^(mi|mn|mo|ms|mtext)$/.test(open.at(-1) ?? '')) found.push(open.at(-1)!)
        open.push(name)
      },
      onclosetag(name) {
        if (open.pop() !== name) found.push(`unclosed ${name}`)
      },
    })
    parser.end(html)
    return found
  }

  it.each([
    ['\\mathop{\\frac a b}', '<mrow><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow>'],
    ['\\mathrel{a+b}', '<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>'],
    ['\\mathop{\\mathrel{x}}', '<mrow><mrow><mo>x</mo></mrow></mrow>'],
    ['\\sum', '<mo>∑</mo>'],
  ])('What KaTeX writes as an operator with elements is a row: %s', (tex, row) => {
    expect(rendered(`$$${tex}$$`)).toContain(row)
  })

  it('hold no element in any command or sign of KaTeX’s', { timeout: 60_000 }, () => {
    const all = [...named(own.commands), ...named(own.signs)]
    expect(all.length).toBeGreaterThan(1_500)
    const shown: string[] = []
    for (const name of all) {
      for (const tex of [name, `x_{${name}{\\frac{a}{b}}{x+y}}`]) {
        const html = renderTex(tex, { display: true })
        if (html === undefined) continue
        shown.push(name)
        expect(misused(html.slice(html.indexOf('<math'), html.indexOf('</math>') + 7)), tex).toEqual([])
      }
    }
    expect(new Set(shown).size).toBeGreaterThan(1_300)
  })
})
