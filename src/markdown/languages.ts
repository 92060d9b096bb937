import type { LanguageFn } from 'highlight.js'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import clojure from 'highlight.js/lib/languages/clojure'
import cmake from 'highlight.js/lib/languages/cmake'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import dart from 'highlight.js/lib/languages/dart'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import elixir from 'highlight.js/lib/languages/elixir'
import erlang from 'highlight.js/lib/languages/erlang'
import fsharp from 'highlight.js/lib/languages/fsharp'
import go from 'highlight.js/lib/languages/go'
import graphql from 'highlight.js/lib/languages/graphql'
import groovy from 'highlight.js/lib/languages/groovy'
import haskell from 'highlight.js/lib/languages/haskell'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import julia from 'highlight.js/lib/languages/julia'
import kotlin from 'highlight.js/lib/languages/kotlin'
import latex from 'highlight.js/lib/languages/latex'
import less from 'highlight.js/lib/languages/less'
import lisp from 'highlight.js/lib/languages/lisp'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import nginx from 'highlight.js/lib/languages/nginx'
import nix from 'highlight.js/lib/languages/nix'
import objectivec from 'highlight.js/lib/languages/objectivec'
import ocaml from 'highlight.js/lib/languages/ocaml'
import perl from 'highlight.js/lib/languages/perl'
import php from 'highlight.js/lib/languages/php'
import phpTemplate from 'highlight.js/lib/languages/php-template'
import plaintext from 'highlight.js/lib/languages/plaintext'
import powershell from 'highlight.js/lib/languages/powershell'
import protobuf from 'highlight.js/lib/languages/protobuf'
import python from 'highlight.js/lib/languages/python'
import pythonRepl from 'highlight.js/lib/languages/python-repl'
import r from 'highlight.js/lib/languages/r'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scala from 'highlight.js/lib/languages/scala'
import scss from 'highlight.js/lib/languages/scss'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import vbnet from 'highlight.js/lib/languages/vbnet'
import vim from 'highlight.js/lib/languages/vim'
import wasm from 'highlight.js/lib/languages/wasm'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

interface KnownLanguage {
  readonly grammar: LanguageFn
  /** The grammar's own aliases, needed before it is made. */
  readonly aliases?: readonly string[]
  /** Embedded languages that have a grammar here. */
  readonly inside?: readonly string[]
}

/** The highlighter's grammars included in the server, by their names in it. */
export const grammars: Readonly<Record<string, KnownLanguage>> = {
  bash: { grammar: bash, aliases: ['sh', 'zsh'] },
  c: { grammar: c, aliases: ['h'] },
  clojure: { grammar: clojure, aliases: ['clj', 'edn'] },
  cmake: { grammar: cmake, aliases: ['cmake.in'] },
  cpp: { grammar: cpp, aliases: ['cc', 'c++', 'h++', 'hpp', 'hh', 'hxx', 'cxx'] },
  csharp: { grammar: csharp, aliases: ['cs', 'c#'] },
  css: { grammar: css },
  dart: { grammar: dart },
  diff: { grammar: diff, aliases: ['patch'] },
  dockerfile: { grammar: dockerfile, aliases: ['docker'], inside: ['bash'] },
  elixir: { grammar: elixir, aliases: ['ex', 'exs'] },
  erlang: { grammar: erlang, aliases: ['erl'] },
  fsharp: { grammar: fsharp, aliases: ['fs', 'f#'] },
  go: { grammar: go, aliases: ['golang'] },
  graphql: { grammar: graphql, aliases: ['gql'] },
  groovy: { grammar: groovy },
  haskell: { grammar: haskell, aliases: ['hs'] },
  // The body of a request; the grammar itself would try all languages.
  http: { grammar: http, aliases: ['https'], inside: ['json', 'xml'] },
  ini: { grammar: ini, aliases: ['toml'] },
  java: { grammar: java, aliases: ['jsp'] },
  javascript: {
    grammar: javascript,
    aliases: ['js', 'jsx', 'mjs', 'cjs'],
    inside: ['xml', 'css', 'graphql'],
  },
  json: { grammar: json, aliases: ['jsonc', 'json5'] },
  julia: { grammar: julia },
  kotlin: { grammar: kotlin, aliases: ['kt', 'kts', 'ktm', 'ktx'] },
  latex: { grammar: latex, aliases: ['tex'] },
  less: { grammar: less },
  lisp: { grammar: lisp },
  lua: { grammar: lua, aliases: ['pluto'] },
  makefile: { grammar: makefile, aliases: ['mk', 'mak', 'make'] },
  nginx: { grammar: nginx, aliases: ['nginxconf'] },
  nix: { grammar: nix, aliases: ['nixos'] },
  objectivec: { grammar: objectivec, aliases: ['mm', 'objc', 'obj-c', 'obj-c++', 'objective-c++'] },
  ocaml: { grammar: ocaml, aliases: ['ml'] },
  perl: { grammar: perl, aliases: ['pl', 'pm'] },
  php: { grammar: php },
  'php-template': { grammar: phpTemplate, inside: ['xml', 'php'] },
  plaintext: { grammar: plaintext, aliases: ['text', 'txt'] },
  powershell: { grammar: powershell, aliases: ['pwsh', 'ps', 'ps1'] },
  protobuf: { grammar: protobuf, aliases: ['proto'] },
  python: { grammar: python, aliases: ['py', 'gyp', 'ipython'] },
  'python-repl': { grammar: pythonRepl, aliases: ['pycon'], inside: ['python'] },
  r: { grammar: r },
  ruby: { grammar: ruby, aliases: ['rb', 'gemspec', 'podspec', 'thor', 'irb'] },
  rust: { grammar: rust, aliases: ['rs'] },
  scala: { grammar: scala },
  scss: { grammar: scss },
  shell: { grammar: shell, aliases: ['console', 'shellsession'], inside: ['bash'] },
  sql: { grammar: sql },
  swift: { grammar: swift },
  typescript: {
    grammar: typescript,
    aliases: ['ts', 'tsx', 'mts', 'cts'],
    inside: ['xml', 'css', 'graphql'],
  },
  vbnet: { grammar: vbnet, aliases: ['vb'] },
  vim: { grammar: vim },
  wasm: { grammar: wasm },
  xml: {
    grammar: xml,
    aliases: ['html', 'xhtml', 'rss', 'atom', 'xjb', 'xsd', 'xsl', 'plist', 'wsf', 'svg'],
    inside: ['css', 'javascript'],
  },
  yaml: { grammar: yaml, aliases: ['yml'], inside: ['ruby'] },
}

/** A language, as named in the first line of a code block. */
interface NamedLanguage {
  /** Its name in `data-code-language`; undefined for the grammar's own. */
  readonly name: string | undefined
  /** The grammar that colours it, by its name in the highlighter; undefined without one. */
  readonly grammar: string | undefined
}

/**
 * Names of languages in `data-code-language`, by their grammars. Playgrounds are configured with these names, so they are those of
 * Pygments, the highlighter of the public server; languages not listed use the grammar's own name.
 */
const namesOfGrammars: Readonly<Record<string, string>> = {
  cpp: 'C++',
  csharp: 'C#',
  dockerfile: 'Docker',
  fsharp: 'F#',
  ini: 'INI',
  latex: 'TeX',
  less: 'LessCss',
  lisp: 'Common Lisp',
  nginx: 'Nginx configuration file',
  objectivec: 'Objective-C',
  php: 'PHP',
  'php-template': 'HTML+PHP',
  plaintext: 'Text only',
  powershell: 'PowerShell',
  protobuf: 'Protocol Buffer',
  'python-repl': 'Python console session',
  r: 'S',
  shell: 'Bash Session',
  vbnet: 'VB.net',
  vim: 'VimL',
  wasm: 'WebAssembly',
  xml: 'XML',
}

/**
 * Other Pygments names for languages with a grammar here, and for similar languages that it can colour: the grammar, and the names. They
 * take precedence over the grammars' own: `shell` means what a shell reads.
 */
const moreNames: Readonly<Record<string, readonly [grammar: string, names: readonly string[]]>> = {
  Bash: ['bash', ['sh', 'ksh', 'zsh', 'shell', 'openrc']],
  'Bash Session': ['shell', ['console', 'shell-session', 'bash-session', 'shellsession']],
  ClojureScript: ['clojure', ['clojurescript', 'cljs']],
  'Common Lisp': ['lisp', ['cl', 'common-lisp']],
  Cython: ['python', ['cython', 'pyx', 'pyrex']],
  Diff: ['diff', ['udiff']],
  EmacsLisp: ['lisp', ['elisp', 'emacs', 'emacs-lisp']],
  'Erlang erl session': ['erlang', ['erl']],
  HTML: ['xml', ['html', 'html5', 'xhtml']],
  'HTML+PHP': ['php-template', ['html+php']],
  INI: ['ini', ['cfg', 'dosini']],
  JSON: ['json', ['json-object']],
  'JSON-LD': ['json', ['jsonld', 'json-ld']],
  JSON5: ['json', ['json5']],
  JSX: ['javascript', ['jsx', 'react']],
  JavaScript: ['javascript', ['node']],
  'Java Server Page': ['java', ['jsp']],
  Julia: ['julia', ['jl']],
  'Julia console': ['julia', ['jlcon', 'julia-repl']],
  Makefile: ['makefile', ['mf', 'bsdmake']],
  MySQL: ['sql', ['mysql']],
  'Objective-C': ['objectivec', ['objective-c']],
  'Objective-C++': ['objectivec', ['mm', 'objectivec++', 'objective-c++', 'obj-c++', 'objc++']],
  PHP: ['php', ['php3', 'php4', 'php5']],
  'PL/pgSQL': ['sql', ['plpgsql']],
  'PostgreSQL SQL dialect': ['sql', ['postgresql', 'postgres']],
  'PostgreSQL console (psql)': ['sql', ['psql', 'postgresql-console', 'postgres-console']],
  PowerShell: ['powershell', ['posh', 'psm1']],
  'PowerShell Session': ['powershell', ['ps1con', 'pwsh-session']],
  Properties: ['ini', ['properties', 'jproperties']],
  Python: ['python', ['python3', 'py3', 'sage', 'bazel', 'starlark', 'pyi']],
  'Python 2.x': ['python', ['python2', 'py2']],
  'Python console session': ['python-repl', ['python-console']],
  Ruby: ['ruby', ['duby']],
  'Ruby irb session': ['ruby', ['irb', 'rbcon']],
  S: ['r', ['s', 'splus']],
  Scheme: ['lisp', ['scheme', 'scm']],
  TOML: ['ini', ['toml']],
  TSX: ['typescript', ['tsx']],
  'Text only': ['plaintext', ['none']],
  'Transact-SQL': ['sql', ['tsql', 't-sql']],
  'VB.net': ['vbnet', ['vb.net', 'lobas', 'oobas', 'sobas', 'visual-basic', 'visualbasic']],
  WebAssembly: ['wasm', ['wast', 'wat']],
  XML: ['xml', ['svg', 'rss']],
  XSLT: ['xml', ['xslt', 'xsl']],
  'c-objdump': ['plaintext', ['c-objdump']],
  reStructuredText: ['plaintext', ['rst', 'rest', 'restructuredtext']],
  sqlite3con: ['sql', ['sqlite3']],
}

/** Known languages without a grammar. Markdown is among them because its grammar takes cubic time for unclosed links. */
const withoutGrammar: Readonly<Record<string, readonly string[]>> = {
  Markdown: ['markdown', 'md'],
  Matlab: ['matlab'],
}

const languages: ReadonlyMap<string, NamedLanguage> = new Map<string, NamedLanguage>([
  ...Object.entries(grammars).flatMap(([grammar, { aliases = [] }]) =>
    [grammar, ...aliases].map((alias) => named(alias, { grammar, name: namesOfGrammars[grammar] })),
  ),
  ...Object.entries(moreNames).flatMap(([name, [grammar, aliases]]) =>
    aliases.map((alias) => named(alias, { grammar, name })),
  ),
  ...Object.entries(withoutGrammar).flatMap(([name, aliases]) =>
    aliases.map((alias) => named(alias, { grammar: undefined, name })),
  ),
])

function named(alias: string, language: NamedLanguage): [string, NamedLanguage] {
  return [alias.toLowerCase(), language]
}

/** Returns the language of this name, ignoring case; undefined if unknown. */
export function languageNamed(name: string): NamedLanguage | undefined {
  return languages.get(name.toLowerCase())
}
