import { describe, expect, it } from 'vitest'
import { highlightCode } from '../../src/markdown/highlight.ts'
import { grammars, languageNamed } from '../../src/markdown/languages.ts'

/**
 * Names and aliases of Pygments 2.20 for the languages that have a grammar here, as its `get_all_lexers()` lists
 * them: clients offer these names, and playgrounds are configured by them.
 */
const PYGMENTS: Readonly<Record<string, string>> = {
  Bash: 'bash sh ksh zsh shell openrc',
  'Bash Session': 'console shell-session',
  C: 'c',
  'C#': 'csharp c# cs',
  'C++': 'cpp c++',
  CMake: 'cmake',
  CSS: 'css',
  Clojure: 'clojure clj',
  ClojureScript: 'clojurescript cljs',
  'Common Lisp': 'common-lisp cl lisp',
  Cython: 'cython pyx pyrex',
  Dart: 'dart',
  Diff: 'diff udiff',
  Docker: 'docker dockerfile',
  Elixir: 'elixir ex exs',
  EmacsLisp: 'emacs-lisp elisp emacs',
  Erlang: 'erlang',
  'Erlang erl session': 'erl',
  'F#': 'fsharp f#',
  Go: 'go golang',
  GraphQL: 'graphql',
  Groovy: 'groovy',
  HTML: 'html',
  'HTML+PHP': 'html+php',
  HTTP: 'http',
  Haskell: 'haskell hs',
  INI: 'ini cfg dosini',
  JSON: 'json json-object',
  'JSON-LD': 'jsonld json-ld',
  JSON5: 'json5',
  JSX: 'jsx react',
  Java: 'java',
  'Java Server Page': 'jsp',
  JavaScript: 'javascript js',
  Julia: 'julia jl',
  'Julia console': 'jlcon julia-repl',
  Kotlin: 'kotlin',
  LessCss: 'less',
  Lua: 'lua',
  Makefile: 'make makefile mf bsdmake',
  Markdown: 'markdown md',
  Matlab: 'matlab',
  MySQL: 'mysql',
  'Nginx configuration file': 'nginx',
  Nix: 'nixos nix',
  OCaml: 'ocaml',
  'Objective-C': 'objective-c objectivec obj-c objc',
  'Objective-C++': 'objective-c++ objectivec++ obj-c++ objc++',
  PHP: 'php php3 php4 php5',
  'PL/pgSQL': 'plpgsql',
  Perl: 'perl pl',
  'PostgreSQL SQL dialect': 'postgresql postgres',
  'PostgreSQL console (psql)': 'psql postgresql-console postgres-console',
  PowerShell: 'powershell pwsh posh ps1 psm1',
  'PowerShell Session': 'pwsh-session ps1con',
  Properties: 'properties jproperties',
  'Protocol Buffer': 'protobuf proto',
  Python: 'python py sage python3 py3 bazel starlark pyi',
  'Python 2.x': 'python2 py2',
  'Python console session': 'pycon python-console',
  Ruby: 'ruby rb duby',
  'Ruby irb session': 'rbcon irb',
  Rust: 'rust rs',
  S: 'splus s r',
  SCSS: 'scss',
  SQL: 'sql',
  Scala: 'scala',
  Scheme: 'scheme scm',
  Swift: 'swift',
  TOML: 'toml',
  TSX: 'tsx',
  TeX: 'tex latex',
  'Text only': 'text',
  'Transact-SQL': 'tsql t-sql',
  TypeScript: 'typescript ts',
  'VB.net': 'vb.net vbnet lobas oobas sobas visual-basic visualbasic',
  VimL: 'vim',
  WebAssembly: 'wast wat',
  XML: 'xml',
  XSLT: 'xslt',
  YAML: 'yaml',
  'c-objdump': 'c-objdump',
  reStructuredText: 'restructuredtext rst rest',
  sqlite3con: 'sqlite3',
}

describe.each(Object.entries(PYGMENTS))('%s', (language, aliases) => {
  it.each(aliases.split(' '))('is the name of %s', (alias) => {
    expect(highlightCode('a', alias).name).toBe(language)
    expect(highlightCode('a', alias.toUpperCase()).name).toBe(language)
  })
})

describe('an alias that the highlighter lacks', () => {
  it.each([
    ['py2', 'python', 'print 1'],
    ['py3', 'python', 'return 1'],
    ['shell-session', 'console', '$ if true'],
    ['ksh', 'bash', 'if true; then'],
    ['jl', 'julia', 'function f() end'],
    ['visual-basic', 'vbnet', 'Dim a As String'],
    ['objc++', 'objectivec', '@interface A'],
  ])('%s has the colours of %s', (alias, language, code) => {
    const { html } = highlightCode(code, language)
    expect(html).toContain('<span')
    expect(highlightCode(code, alias).html).toBe(html)
  })

  it('has a grammar that exists', () => {
    for (const alias of Object.values(PYGMENTS).flatMap((aliases) => aliases.split(' '))) {
      const grammar = languageNamed(alias)?.grammar
      if (grammar !== undefined) expect(Object.keys(grammars)).toContain(grammar)
    }
  })
})
