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

/** The highlighter's grammars that are part of the server, by their names in it. */
export const grammars = {
  bash,
  c,
  clojure,
  cmake,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  elixir,
  erlang,
  fsharp,
  go,
  graphql,
  groovy,
  haskell,
  http,
  ini,
  java,
  javascript,
  json,
  julia,
  kotlin,
  latex,
  less,
  lisp,
  lua,
  makefile,
  nginx,
  nix,
  objectivec,
  ocaml,
  perl,
  php,
  'php-template': phpTemplate,
  plaintext,
  powershell,
  protobuf,
  python,
  'python-repl': pythonRepl,
  r,
  ruby,
  rust,
  scala,
  scss,
  shell,
  sql,
  swift,
  typescript,
  vbnet,
  vim,
  wasm,
  xml,
  yaml,
}

/** Names that other highlighters have for our grammars, besides the aliases of the grammars themselves. */
export const moreAliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    python3: 'python',
    py3: 'python',
    pycon: 'python-repl',
    rst: 'plaintext',
    none: 'plaintext',
    'c#': 'csharp',
    'f#': 'fsharp',
    postgresql: 'sql',
    postgres: 'sql',
    mysql: 'sql',
    sqlite3: 'sql',
    psql: 'sql',
    jsonc: 'json',
    json5: 'json',
    jsonld: 'json',
    'bash-session': 'shell',
    docker: 'dockerfile',
    html5: 'xml',
    'objective-c': 'objectivec',
    proto: 'protobuf',
    'common-lisp': 'lisp',
    'emacs-lisp': 'lisp',
    elisp: 'lisp',
    vb: 'vbnet',
    'vb.net': 'vbnet',
    node: 'javascript',
    udiff: 'diff',
    'c-objdump': 'plaintext',
    ps1: 'powershell',
  }),
)

/**
 * Names in `data-code-language` for grammars and aliases. Playgrounds are configured by these names, so they
 * are those of the highlighter that the public server uses; where none is listed, the grammar's own name.
 */
export const displayNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    php: 'PHP',
    // Known, but without a grammar, since the highlighter's takes cubic time for unclosed links.
    markdown: 'Markdown',
    md: 'Markdown',
    html: 'HTML',
    html5: 'HTML',
    xhtml: 'HTML',
    xml: 'XML',
    svg: 'XML',
    rss: 'XML',
    ini: 'INI',
    toml: 'TOML',
    plaintext: 'Text only',
    text: 'Text only',
    txt: 'Text only',
    none: 'Text only',
    rst: 'reStructuredText',
    'python-repl': 'Python console session',
    shell: 'Bash Session',
    vbnet: 'VB.net',
    less: 'LessCss',
    r: 'S',
    postgresql: 'PostgreSQL SQL dialect',
    postgres: 'PostgreSQL SQL dialect',
    mysql: 'MySQL',
    dockerfile: 'Docker',
    cpp: 'C++',
    csharp: 'C#',
    fsharp: 'F#',
    objectivec: 'Objective-C',
    latex: 'TeX',
    lisp: 'Common Lisp',
    protobuf: 'Protocol Buffer',
    nginx: 'Nginx configuration file',
    wasm: 'WebAssembly',
    vim: 'VimL',
    'php-template': 'HTML+PHP',
    matlab: 'Matlab',
    powershell: 'PowerShell',
    tsx: 'TSX',
    jsx: 'JSX',
    elisp: 'EmacsLisp',
    'emacs-lisp': 'EmacsLisp',
    jsonld: 'JSON-LD',
  }),
)
