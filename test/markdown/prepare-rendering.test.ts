import hljs from 'highlight.js/lib/core'
import { RE2JS } from 're2js'
import { afterEach, expect, it, vi } from 'vitest'
import { firstUsesOf } from '../../src/markdown/prepare-rendering.ts'
import { rendered } from './describe-cases.ts'

afterEach(() => vi.restoreAllMocks())

const rulesNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    pattern: `${name}${id}-(?P<n>[0-9]+)`,
    urlTemplate: 'https://a.example/{n}',
  }))

it('All rules are compiled once a text needs one, and not again', () => {
  const linkifiers = rulesNamed('P', 100)
  const text = linkifiers.map(({ id }) => `P${id}-7`).join(' ')
  const compile = vi.spyOn(RE2JS, 'compile')
  expect(firstUsesOf('P-7 ~~~', linkifiers)).toEqual([])
  for (const { use } of firstUsesOf('P1-7', linkifiers)) use()
  expect(compile).toHaveBeenCalledTimes(100)
  expect(firstUsesOf(text, linkifiers)).toEqual([])
  expect(rendered(text, { linkifiers }).match(/<a href="https:\/\/a.example\/7">/g)).toHaveLength(100)
  expect(compile).toHaveBeenCalledTimes(100)
})

it('Compiling a large rule weighs more than a small one', () => {
  const [large] = firstUsesOf('ab', rulesNamed('(?:ab|cd){0,900}', 1))
  const [small] = firstUsesOf('R0-7', rulesNamed('R', 1))
  expect(large!.weight).toBeGreaterThan(5 * small!.weight)
})

it('Five languages of a text are made, each once', () => {
  const code = ['cobol', 'Erlang', 'ocaml', 'julia', 'vim', 'nix', 'perl']
    .map((name) => `> ~~~ ${name}\n> a b\n> ~~~`)
    .join('\n\n')
  // Other files may have used some of them in the same process.
  for (const language of hljs.listLanguages()) hljs.unregisterLanguage(language)
  const register = vi.spyOn(hljs, 'registerLanguage')
  for (const { use } of firstUsesOf(code, [])) use()
  expect(register.mock.calls.map(([name]) => name)).toEqual(['erlang', 'ocaml', 'julia', 'vim', 'nix'])
  rendered(code)
  expect(register).toHaveBeenCalledTimes(5)
})
