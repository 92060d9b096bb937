import { describe, expect, it } from 'vitest'
import { violationsOf } from './allowed-html.ts'
import { rendered } from './describe-cases.ts'

describe('the list of allowed HTML', () => {
  it.each([
    '<script>alert(1)</script>',
    '<p onclick="x">a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href=" java\tscript:alert(1)">a</a>',
    '<a href="data:text/html,x">a</a>',
    '<a target="_blank" href="/a">a</a>',
    '<img src="x" onerror="alert(1)">',
    '<img src="data:image/png;base64,x">',
    '<span style="background:url(x)">a</span>',
    '<span style="position:fixed;top:0px;content:x;">a</span>',
    '<a style="color: red" href="/a">a</a>',
    '<a style="background-image: url(&quot;javascript:alert(1)&quot;)" href="/a">a</a>',
    '<a style="background-image: url(https://a.example/b.png)" href="/a">a</a>',
    '<a style="background-image: url(&quot;https://a.example/&quot;), url(&quot;https://b.example/&quot;)" href="/a">a</a>',
    '<a style="background-image: url(&quot;https://a.example/\\&quot;)" href="/a">a</a>',
    '<a style="background-image: url(&quot;https://a.example/&quot;); color: red" href="/a">a</a>',
    '<iframe></iframe>',
    '<!-- comment -->',
    '<div class="other"></div>',
    '<svg><a href="x"></a></svg>',
    '<svg onload="x"></svg>',
    '<math href="x"></math>',
    '<math><mi xlink:href="x">a</mi></math>',
    '<p>a',
    '<p><div></div></p>',
    '<form></form>',
    '<constructor></constructor>',
  ])('refuses %s', (html) => {
    expect(violationsOf(html)).not.toEqual([])
  })

  it.each([
    '$$\\sqrt{x} \\overline{ab} \\frac{1}{2} \\begin{matrix}a&b\\\\c&d\\end{matrix} \\color{red}{x} \\boxed{y} \\cancel{z}$$',
    '$$\\hat{x} \\vec{y} \\widehat{abc} \\underbrace{x}_{y} \\xrightarrow{abc} \\left(\\frac{a}{b}\\right)$$',
    '```math\n\\begin{align} a &= b \\tag{1} \\\\ c &= d \\end{align}\n```',
    '```math\n\\sum_{i=0}^n \\int_a^b \\prod \\lim_{x\\to 0} \\rule{1em}{2em} \\text{words} \\Huge x\n```',
    '$$\\ce{x} \\colorbox{aqua}{$F$} \\fcolorbox{red}{#00ff00}{a} \\phantom{x} \\raisebox{0.25em}{a} \\smash{y} \\not= \\sout{a}$$',
    '$$\\begin{CD} A @>a>> B \\\\ @VbVV @AAcA \\\\ C @= D \\end{CD} \\pmb{x} \\textcolor{#0af}{x} \\begin{array}{|c:c|} \\hline a & b \\end{array}$$',
  ])('holds for %s', (source) => {
    expect(violationsOf(rendered(source))).toEqual([])
  })
})
