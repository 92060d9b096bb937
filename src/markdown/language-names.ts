import { grammars } from './languages.ts'

/** A language, as it is named in the first line of a block of code. */
interface NamedLanguage {
  /** Its name in `data-code-language`; undefined where that is the grammar's own. */
  readonly name: string | undefined
  /** The grammar that colours it, by its name in the highlighter; undefined for none. */
  readonly grammar: string | undefined
}

/**
 * Names of languages in `data-code-language`, by their grammars. Playgrounds are configured by these names, so
 * they are those of Pygments, the highlighter of the public server; where none is listed, the grammar's own name.
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
 * The other names that Pygments has for languages with a grammar here, and for languages near enough to be coloured
 * by it: the grammar, and the names. They win over the grammars' own: `shell` is what a shell reads.
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

/**
 * Languages that are known, but without a grammar: the highlighter's for Markdown takes cubic time for unclosed
 * links.
 */
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

/** Returns the language of this name, whatever the case; undefined for one that is not known. */
export function languageNamed(name: string): NamedLanguage | undefined {
  return languages.get(name.toLowerCase())
}
