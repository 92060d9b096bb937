import { readdirSync, readFileSync } from 'node:fs'
import type { LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { describe, expect, it } from 'vitest'
import { boundedGrammar, boundedPattern } from '../../src/markdown/highlight.ts'
import { grammars } from '../../src/markdown/languages.ts'

describe('a pattern with an end for each repetition', () => {
  it.each([
    ['a*b+?c?', 'a{0,100}b{1,100}?c?'],
    ['\\w{2,}[+*]{1,3}\\*+', '\\w{2,100}[+*]{1,3}\\*{1,100}'],
    ['#.*$', '#.{0,1000}$'],
    ['"[^"\\]]*"', '"[^"\\]]{0,1000}"'],
    ['(?:\\\\.|[^/])*', '(?:\\\\.|[^/]){0,300}'],
    ['(_?[01])+', '(_?[01]){1,100}'],
    ['(?=(\\w+\\s+)+)', '(?=(\\w{1,100}\\s{1,100}){1,12})'],
    ['a{200,}', 'a{200,200}'],
    [
      '<(?:\\?(?:\\s+(?:extends|super)\\s+b*)?|b*)>',
      '<(?:(?:\\?\\s{1,100}(?:extends|super)\\s{1,100})?b{0,100}|\\?)>',
    ],
  ])('%j is %j', (pattern, bounded) => expect(boundedPattern(pattern)).toBe(bounded))
})

describe('the patterns of Java', () => {
  it('have a type in arguments once, since long ones take long to compile', () => {
    const lengths = [...patternsIn(boundedGrammar(grammars.java!.grammar(hljs)), '')].map(
      ({ length }) => length,
    )
    expect(Math.max(...lengths)).toBeGreaterThan(1_000)
    expect(Math.max(...lengths)).toBeLessThan(3_000)
  })
})

describe('the grammar of each language', () => {
  it.each(Object.entries(grammars))('repeats nothing without end: %s', (_, { grammar }) => {
    const patterns = [...patternsIn(boundedGrammar(grammar(hljs)), '')]
    expect(patterns.filter((pattern) => /[*+]|\{\d+,\}/.test(withoutSigns(pattern)))).toEqual([])
    expect(patternsIn(grammar(hljs), '').next().done).toBe(patterns.length === 0)
  })
})

describe('colours of code', () => {
  const [free, bounded] = [hljs.newInstance(), hljs.newInstance()]
  const colorsIn = (instance: typeof hljs, code: string, language: string) => {
    if (!instance.getLanguage(language)) instance.registerLanguage(language, grammarFor(instance, language))
    return instance.highlight(code, { language, ignoreIllegals: true }).value
  }
  const grammarFor = (instance: typeof hljs, language: string): LanguageFn => {
    const { grammar } = grammars[language]!
    return (api) => (instance === free ? copied(grammar(api)) : boundedGrammar(grammar(api)))
  }

  it.each([
    [
      'cpp',
      'if (a) return new std::vector<int>(x.size() + 1);\nelse throw b.new;\ntemplate <class T> T f(T a);',
    ],
    ['csharp', 'public static async Task<List<string>> Find(int a, string b) { return await x.new(a); }'],
    ['java', '@Deprecated class A<T> extends B implements C { private final int[] a = new int[0x1F_FF]; }'],
    [
      'java',
      'class A { Map<?, List<? extends B<? super C, D[]>>[]> f(Set<?> a, Map<E, ? extends F> b) { return c; } }',
    ],
    [
      'java',
      'A<B<C<D>>> f = g<?>(); A<?extends B> h() {} A<? extends> i() {} X<Y , Z []> j(K<L>... m) throws N {}',
    ],
    ['ini', '[a."b.c"]\nkey.part = "text" # remark\nother = 1979-05-27T07:32:00Z'],
    ['python', '@a.b("c")\ndef f(x: int = 0b1010_0101) -> str:\n    return f"{x!r:>{10}}"'],
    ['perl', "my ($a) = $b =~ m{^(.*?)/x$}i; s/a\\/b/c/g; print 'x' if -e $file;"],
    ['vim', 'let s:a = "b" " remark\nnnoremap <silent> x :call F()<CR>'],
  ])('are those of the library: %s', (language, code) => {
    expect(colorsIn(bounded, code, language)).toBe(colorsIn(free, code, language))
  })

  it.each([
    ['typescript', 'src/markdown', '.ts'],
    ['typescript', 'src/realm', '.ts'],
    ['css', 'web/ui', '.css'],
    ['sql', 'migrations', '.sql'],
    ['json', '.', '.json'],
    ['ini', '.', '.toml'],
  ])('are those of the library in our own files: %s in %s', (language, folder, ending) => {
    const files = readdirSync(folder).filter((name) => name.endsWith(ending))
    expect(files.length).toBeGreaterThan(0)
    for (const name of files) {
      const code = readFileSync(`${folder}/${name}`, 'utf8').slice(0, 10_000)
      expect(colorsIn(bounded, code, language), name).toBe(colorsIn(free, code, language))
    }
  })
})

/** Copies a grammar: the highlighter writes into it, and parts belong to the library's module, which other tests share. */
function copied<Part>(part: Part, copies = new Map<unknown, unknown>()): Part {
  if (typeof part !== 'object' || part === null || part instanceof RegExp) return part
  const copy = copies.get(part) ?? (Array.isArray(part) ? [] : {})
  if (!copies.has(part)) {
    copies.set(part, copy)
    for (const [key, value] of Object.entries(part)) Object.assign(copy, { [key]: copied(value, copies) })
  }
  return copy as Part
}

/** Returns a pattern without escaped signs and sets. */
function withoutSigns(pattern: string): string {
  return pattern.replaceAll(/\\./gs, '').replaceAll(/\[[^\]]*\]/g, '')
}

function* patternsIn(part: unknown, name: string, seen = new Set<unknown>()): Generator<string> {
  if (part instanceof RegExp) yield part.source
  else if (typeof part === 'string') {
    if (['begin', 'end', 'match', 'illegal', 'beforeMatch', '$pattern'].includes(name)) yield part
  } else if (typeof part === 'object' && part !== null && !seen.has(part)) {
    seen.add(part)
    for (const [key, value] of Object.entries(part)) {
      yield* patternsIn(value, Array.isArray(part) ? name : key, seen)
    }
  }
}
