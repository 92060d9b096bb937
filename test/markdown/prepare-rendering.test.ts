import hljs from 'highlight.js/lib/core'
import { RE2JS } from 're2js'
import { afterEach, expect, it, type MockInstance, vi } from 'vitest'
import { wait } from '../../src/core/wait.ts'
import type { FirstUse } from '../../src/markdown/first-use.ts'
import type { Linkifier } from '../../src/markdown/linkifiers.ts'
import { compileInTurns, FirstUsesOfATurn, noteFirstUses } from '../../src/markdown/prepare-rendering.ts'
import { rendered } from './describe-cases.ts'

afterEach(() => vi.restoreAllMocks())

/** Returns the number of calls in each turn while something is prepared. */
async function callsInTurns(work: MockInstance, preparing: Promise<void>): Promise<number[]> {
  let isDone = false
  void preparing.finally(() => {
    isDone = true
  })
  const calls = [work.mock.calls.length]
  while (!isDone) {
    await wait(0)
    calls.push(work.mock.calls.length)
  }
  return calls.map((count, turn) => count - (calls[turn - 1] ?? 0))
}

const rulesNamed = (name: string, count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    pattern: `${name}${id}-(?P<n>[0-9]+)`,
    urlTemplate: 'https://a.example/{n}',
  }))

/** Returns what a text needs that has not been made yet. */
function firstUsesOf(text: string, linkifiers: readonly Linkifier[] = []): readonly FirstUse[] {
  let noted: readonly FirstUse[] = []
  noteFirstUses(text, {
    linkifiers,
    noteFirstUses: (uses) => {
      noted = uses
    },
  })
  return noted
}

it('A hundred rules are compiled some in a turn', async () => {
  const linkifiers = rulesNamed('P', 100)
  const text = linkifiers.map(({ id }) => `P${id}-7`).join(' ')
  const compile = vi.spyOn(RE2JS, 'compile')
  const turns = await callsInTurns(compile, compileInTurns(linkifiers))
  expect(Math.max(...turns)).toBeLessThanOrEqual(40)
  expect(compile).toHaveBeenCalledTimes(100)
  expect(rendered(text, { linkifiers }).match(/<a href="https:\/\/a.example\/7">/g)).toHaveLength(100)
  expect(compile).toHaveBeenCalledTimes(100)
})

it('Large rules are compiled one in a turn', async () => {
  const large = rulesNamed('(?:ab|cd){0,900}', 8)
  const compile = vi.spyOn(RE2JS, 'compile')
  const turns = await callsInTurns(compile, compileInTurns(large))
  expect(Math.max(...turns)).toBeLessThanOrEqual(5)
})

it('Five languages of code are made one in a turn', async () => {
  const code = ['cobol', 'Erlang', 'ocaml', 'julia', 'vim', 'nix', 'perl'].map(
    (name) => `> ~~~ ${name}\n> a b\n> ~~~`,
  )
  // Other files may have used some of them in the same process.
  for (const language of hljs.listLanguages()) hljs.unregisterLanguage(language)
  const register = vi.spyOn(hljs, 'registerLanguage')
  const turns = await callsInTurns(register, compileInTurns([], firstUsesOf(code.join('\n\n'))))
  expect(Math.max(...turns)).toBeLessThanOrEqual(2)
  const prepared = register.mock.calls.map(([name]) => name)
  expect(prepared).toEqual(['erlang', 'ocaml', 'julia', 'vim', 'nix'])
  rendered(code.join('\n\n'))
  expect(register).toHaveBeenCalledTimes(5)
})

it('Nothing is prepared for what is little work, or has been done', async () => {
  const linkifiers = rulesNamed('R', 40)
  const text = linkifiers.map(({ id }) => `R${id}-7`).join(' ')
  const areTooMany = (source: string) =>
    new FirstUsesOfATurn().areTooManyWith(firstUsesOf(source, linkifiers))
  expect([areTooMany('R1-7 ~~~'), areTooMany(text)]).toEqual([false, true])
  await compileInTurns(linkifiers)
  expect(firstUsesOf(text, linkifiers)).toEqual([])
})
