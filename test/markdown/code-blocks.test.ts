import { describe, expect, it, vi } from 'vitest'
import { grammars } from '../../src/markdown/languages.ts'
import { describeCases, rendered } from './describe-cases.ts'

const plain = (code: string): string =>
  `<div class="codehilite"><pre><span></span><code>${code}</code></pre></div>`
const block = (language: string, code: string): string =>
  `<div class="codehilite" data-code-language="${language}"><pre><span></span><code>${code}</code></pre></div>`

describeCases('code without a language', [
  ['```\nverb\natim\n```', plain('verb\natim\n')],
  ['~~~\nverb\n~~~', plain('verb\n')],
  ['````\n```\n````', plain('```\n')],
  ['```\nunclosed', plain('unclosed\n')],
  ['```\n\n\na\n\n\n```', plain('a\n')],
  ['```\n  indented\n```', plain('  indented\n')],
  ['    code block.\n\nsome content', `${plain('code block.\n')}\n<p>some content</p>`],
  ['    a\n\n    b', plain('a\n\nb\n')],
  ['```\n<script>alert(1)</script>\n```', plain('&lt;script&gt;alert(1)&lt;/script&gt;\n')],
  [
    '```\n@**Iago** :smile: https://example.com **b**\n```',
    plain('@**Iago** :smile: https://example.com **b**\n'),
  ],
  ['text\n```\ncode\n```\ntext', `<p>text</p>\n${plain('code\n')}\n<p>text</p>`],
  ['``` \ncode\n```', plain('code\n')],
  ['```\na\n``` b\n```', plain('a\n``` b\n')],
  ['``a\nb``', '<p><code>a\nb</code></p>'],
  ['~~~ a~b\nc', '<p>~~~ a~b<br>\nc</p>'],
  ['~~~ a ~~~', '<p>~~~ a ~~~</p>'],
  ['```a ` b', '<p>```a ` b</p>'],
])

describeCases('a fence around nothing leaves nothing', [
  ['```\n```', ''],
  ['```\n\n \t\n```', ''],
  ['```python\n```', ''],
  ['~~~\n~~~', ''],
  ['```', ''],
  ['```quote\n\n```', ''],
  ['a\n```\n```\nb', '<p>a</p>\n<p>b</p>'],
  ['* a\n  ```\n  ```\n* b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  [
    '```spoiler\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n</div></div>',
  ],
])

describeCases('blanks at the ends of lines of code go', [
  ['```\na  \n  b\t \n \nc\n```', plain('a\n  b\n\nc\n')],
  ['    a  \n    b\t', plain('a\nb\n')],
  ['```python\nx = 1  \n```', block('Python', 'x = <span class="m">1</span>\n')],
  ['`a `', '<p><code>a </code></p>'],
])

describeCases('code with a language', [
  [
    '```rust\nfn main() {}\n```',
    block('Rust', '<span class="k">fn</span> <span class="nf">main</span>() {}\n'),
  ],
  ['```dart\nclass A {}\n```', block('Dart', '<span class="k">class</span> <span class="nc">A</span> {}\n')],
  [
    '```python\nreturn "a" # b\n```',
    block('Python', '<span class="k">return</span> <span class="s">"a"</span> <span class="c"># b</span>\n'),
  ],
  ['```py\nx = 1\n```', block('Python', 'x = <span class="m">1</span>\n')],
  ['``` python\nx = 1\n```', block('Python', 'x = <span class="m">1</span>\n')],
  ['``` {.python}\nx = 1\n```', block('Python', 'x = <span class="m">1</span>\n')],
  ['```python hl_lines="1"\nx = 1\n```', block('Python', 'x = <span class="m">1</span>\n')],
  ['```PYTHON\nx = 1\n```', block('Python', 'x = <span class="m">1</span>\n')],
  [
    '```json\n{"a": true}\n```',
    block(
      'JSON',
      '<span class="p">{</span><span class="na">"a"</span><span class="p">:</span> <span class="k">true</span><span class="p">}</span>\n',
    ),
  ],
  [
    '```html\n<b class="x">\n```',
    block(
      'HTML',
      '<span class="nt">&lt;b </span><span class="na">class</span><span class="nt">=</span><span class="s">"x"</span><span class="nt">&gt;</span>\n',
    ),
  ],
  ['```diff\n+a\n-b\n```', block('Diff', '<span class="gi">+a</span>\n<span class="gd">-b</span>\n')],
  ['```text\na < b\n```', block('Text only', 'a &lt; b\n')],
  ['```markdown\n# a\n```', block('Markdown', '# a\n')],
  ['```brainfuck\n+[>]\n```', block('brainfuck', '+[&gt;]\n')],
  ['```"><script>\nx\n```', block('&quot;&gt;&lt;script&gt;', 'x\n')],
  ['```constructor\nx\n```', block('constructor', 'x\n')],
  ['```__proto__\nx\n```', block('__proto__', 'x\n')],
])

describe('the default language of code', () => {
  it('applies to blocks that name none', () => {
    expect(rendered('```\nx = 1\n```', { defaultCodeBlockLanguage: 'python' })).toBe(
      block('Python', 'x = <span class="m">1</span>\n'),
    )
  })

  it('does not apply if a language is named', () => {
    expect(rendered('```text\nx = 1\n```', { defaultCodeBlockLanguage: 'python' })).toBe(
      block('Text only', 'x = 1\n'),
    )
  })

  it('does not apply to indented code', () => {
    expect(rendered('    x = 1', { defaultCodeBlockLanguage: 'python' })).toBe(plain('x = 1\n'))
  })
})

describe('a message with code in many languages', () => {
  it('has colours for the first five', () => {
    const languages = ['python', 'c', 'bash', 'python', 'java', 'perl', 'rust', 'C', 'go']
    const html = rendered(languages.map((name) => `\`\`\`${name}\n"a"\n\`\`\``).join('\n'))
    const blocks = html.match(/data-code-language="[^"]+"><pre>.*?<\/pre>/gs)!
    const names = blocks.map((code) => /"([^"]+)"/.exec(code)![1])
    expect(names).toEqual(['Python', 'C', 'Bash', 'Python', 'Java', 'Perl', 'Rust', 'C', 'Go'])
    const isColored = blocks.map((code) => code.includes('class="s"'))
    expect(isColored).toEqual([true, true, true, true, true, true, false, true, false])
  })
})

describe('hundreds of blocks of code without colours', () => {
  it('make the grammar of their language at most once', () => {
    const make = vi.spyOn(grammars.swift!, 'grammar')
    const first = ['python', 'c', 'bash', 'java', 'perl'].map((name) => `\`\`\`${name}\na\n\`\`\`\n`)
    const html = rendered(`${first.join('')}${'```swift\na\n```\n'.repeat(200)}`)
    expect(html.match(/data-code-language="Swift"/g)).toHaveLength(200)
    expect(make.mock.calls.length).toBeLessThanOrEqual(1)
    make.mockRestore()
  })
})

describe('names of languages', () => {
  it.each([
    ['c', 'C'],
    ['cpp', 'C++'],
    ['c++', 'C++'],
    ['cs', 'C#'],
    ['bash', 'Bash'],
    ['sh', 'Bash'],
    ['console', 'Bash Session'],
    ['js', 'JavaScript'],
    ['ts', 'TypeScript'],
    ['yml', 'YAML'],
    ['toml', 'TOML'],
    ['ini', 'INI'],
    ['xml', 'XML'],
    ['go', 'Go'],
    ['golang', 'Go'],
    ['java', 'Java'],
    ['kt', 'Kotlin'],
    ['rb', 'Ruby'],
    ['php', 'PHP'],
    ['sql', 'SQL'],
    ['docker', 'Docker'],
    ['hs', 'Haskell'],
    ['scala', 'Scala'],
    ['ex', 'Elixir'],
    ['tex', 'TeX'],
    ['md', 'Markdown'],
    ['pycon', 'Python console session'],
    ['swift', 'Swift'],
    ['objc', 'Objective-C'],
    ['lua', 'Lua'],
    ['r', 'S'],
    ['shell', 'Bash'],
    ['console', 'Bash Session'],
    ['erl', 'Erlang erl session'],
    ['markdown', 'Markdown'],
  ])('%s is %s', (language, name) => {
    expect(rendered(`\`\`\`${language}\nx\n\`\`\``)).toContain(`data-code-language="${name}"`)
  })
})

describe('long code', () => {
  it('is not highlighted', () => {
    expect(rendered(`\`\`\`python\n${'x = 1\n'.repeat(3000)}\`\`\``)).toBe(
      block('Python', 'x = 1\n'.repeat(3000)),
    )
  })

  it('is not highlighted when one line is long', () => {
    const line = 'x+'.repeat(600)
    expect(rendered(`\`\`\`python\n1\n${line}\n\`\`\``)).toBe(block('Python', `1\n${line}\n`))
  })
})
