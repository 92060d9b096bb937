/** Makes the modules of the texts: their types, which follow the English messages, and the texts of each language. */
import { readFileSync } from 'node:fs'
import { compileMessage, type Message, type Use } from './compile-message.ts'
import type { Source } from './compile-texts.ts'
import { fromJson } from './json.ts'

/** Areas of the page, which loads them in one language: each becomes a module a language. One of the server has all languages. */
const OF_PAGE = ['page', 'settings', 'reading', 'compose', 'frame']
/** Areas whose messages may have HTML. */
const WITH_TAGS = ['auth']
/** Keys are texts of the source there, and values are read as they are (src/core/refusal-text.ts). */
const NOT_COMPILED = 'refusals'
/** Groups that are empty in English, and to which each language adds what it needs. */
const OPEN = ['page.keyCaps', 'settings.bots.options']

const ENGLISH = 'en'

/** The messages of a file, or of a group in it. */
type Tree = string | readonly Tree[] | { readonly [Key in string]: Tree }
type Compiled = Message | readonly Compiled[] | { readonly [Key in string]: Compiled }

/** What holds for all languages. */
interface Common {
  /** What translators should know of messages and groups, by their paths. */
  readonly notes: object
  /** Code that is the same in each language, by the name that stands for it. */
  readonly constants: Readonly<Record<string, string>>
}

/** Returns the code of each module by its path in `texts/compiled`. @throws Error that lists every wrong message */
export function modulesOf(sources: readonly Source[], { notes, constants }: Common): Map<string, string> {
  const problems: string[] = []
  const languages = [...new Set(sources.map(({ language }) => language))].sort()
  const areas = sources
    .filter(({ language, name }) => language === ENGLISH && !name.includes('.') && name !== NOT_COMPILED)
    .map(({ name }) => new Area(name, { sources, languages, constants, problems }))
  for (const { path, language, name } of sources)
    if (!sources.some((one) => one.language === ENGLISH && one.name === name) && name !== NOT_COMPILED)
      problems.push(`${path} has no file of that name in English (${language})`)
  for (const path of Object.keys(notes)) {
    const [name, ...keys] = path.split('.')
    const area = areas.find((one) => one.name === name)
    if (area ? !area.has(keys) : name !== NOT_COMPILED)
      problems.push(`texts/notes.json: ${path} is no message or group`)
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return new Map(areas.flatMap((area) => area.modules()))
}

interface AreaFrom {
  readonly sources: readonly Source[]
  readonly languages: readonly string[]
  readonly constants: Common['constants']
  /** Gets a line for each problem. */
  readonly problems: string[]
}

class Area {
  readonly name: string
  readonly #trees: ReadonlyMap<string, Compiled>
  readonly #constants: Common['constants']
  readonly #problems: string[]

  constructor(name: string, { sources, languages, constants, problems }: AreaFrom) {
    this.name = name
    this.#constants = constants
    this.#problems = problems
    this.#trees = new Map(
      languages.map((language) => {
        const parts = sources.filter(
          (one) => one.language === language && (one.name === name || one.name.startsWith(`${name}.`)),
        )
        return [language, this.#compile(joined(parts), language, name)]
      }),
    )
    for (const [language, tree] of this.#trees)
      if (language !== ENGLISH) this.#compare(this.#english, tree, `texts/${language}: ${name}`)
  }

  get #english(): Compiled {
    return this.#trees.get(ENGLISH)!
  }

  has(keys: readonly string[]): boolean {
    let tree: Compiled | undefined = this.#english
    for (const key of keys) tree = tree && new Map(entriesOf(tree)).get(key)
    return tree !== undefined
  }

  #compile(tree: Tree, language: string, at: string): Compiled {
    if (typeof tree !== 'string')
      return mapped(tree, (inner, key) => this.#compile(inner, language, `${at}.${key}`))
    const isGrouped = OF_PAGE.includes(this.name)
    try {
      return compileMessage(tree, {
        language,
        isGrouped,
        hasTags: WITH_TAGS.includes(this.name),
        constants: this.#constants,
      })
    } catch (error) {
      this.#problems.push(`texts/${language}: ${at}: ${(error as Error).message}`)
      return { code: '``', uses: new Map(), isHtml: false }
    }
  }

  /** Notes where a language has other keys or parameters than English. */
  #compare(english: Compiled | undefined, other: Compiled | undefined, at: string): void {
    if (OPEN.some((path) => at.endsWith(`: ${path}`))) return
    const wrong = (what: string) => this.#problems.push(`${at} ${what}`)
    if (other === undefined) wrong('is missing')
    else if (english === undefined) wrong('is not in English')
    else if (isMessage(english) && isMessage(other)) {
      const shown = (message: Message) => [...message.uses].filter(([, how]) => how.has('shown'))
      for (const [name] of other.uses)
        if (!english.uses.has(name)) wrong(`has {${name}}, which English has not`)
      for (const [name] of shown(english)) if (!other.uses.has(name)) wrong(`lacks {${name}}`)
      if (english.isHtml !== other.isHtml) wrong('has tags, or lacks them, unlike English')
      if (other.code === '``' && english.code !== '``') wrong('is empty')
    } else if (isMessage(english) || isMessage(other) || Array.isArray(english) !== Array.isArray(other))
      wrong('is of another kind in English')
    else {
      const [ours, theirs] = [new Map(entriesOf(english)), new Map(entriesOf(other))]
      for (const key of new Set([...ours.keys(), ...theirs.keys()]))
        this.#compare(ours.get(key), theirs.get(key), `${at}.${key}`)
    }
  }

  modules(): [string, string][] {
    const { name } = this
    const type = `${pascal(name)}Texts`
    const types = `export interface ${type} ${this.#typeOf(this.#english, [...this.#trees.values()], name)}\n`
    const trees = [...this.#trees]
    if (!OF_PAGE.includes(name)) {
      const all = trees.map(([language, tree]) => `${language}: ${codeOf(tree, this.#english)}`)
      const code = `export const TEXTS: Readonly<Record<'${trees.map(([one]) => one).join("' | '")}', ${type}>> = {\n${all.join(',\n')}\n}\n`
      const html = "import { Html, html } from '../../src/core/written-languages.ts'\n"
      return [[`${name}.ts`, `${headOf(code, '..')}${/\bhtml`/.test(code) ? html : ''}${types}${code}`]]
    }
    return [
      [`${name}.ts`, types],
      ...trees.map(([language, tree]): [string, string] => {
        const code = `export const texts: ${type} = ${codeOf(tree, this.#english)}\n`
        const head = headOf(code, '../..')
        return [`${language}/${name}.ts`, `import type { ${type} } from '../${name}.ts'\n${head}${code}`]
      }),
    ]
  }

  /** @param all the same part of the area in each language: what one of them does with a parameter tells its type. */
  #typeOf(english: Compiled, all: readonly Compiled[], at: string): string {
    if (OPEN.includes(at)) return 'Readonly<Record<string, string>>'
    if (isMessage(english)) return signatureOf(english, all.filter(isMessage))
    const inner = (key: string) => all.map((tree) => new Map(entriesOf(tree)).get(key)!)
    const members = entriesOf(english).map(([key, tree]) => [
      key,
      this.#typeOf(tree, inner(key), `${at}.${key}`),
    ])
    if (Array.isArray(english)) return `readonly [${members.map(([, type]) => type).join(', ')}]`
    return `{\n${members.map(([key, type]) => `readonly ${keyOf(key!)}: ${type}`).join('\n')}\n}`
  }
}

/** Returns the tree of an area with its parts in their places: that of `settings.bots` is `bots` in `settings`. */
function joined(parts: readonly Source[]): Tree {
  const whole: Record<string, unknown> = {}
  for (const { path, name } of parts.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const into = name
      .split('.')
      .slice(1)
      .reduce<Record<string, unknown>>((tree, key) => {
        tree[key] ??= {}
        return tree[key] as Record<string, unknown>
      }, whole)
    Object.assign(into, fromJson(readFileSync(path, 'utf8')))
  }
  return whole as Tree
}

function isMessage(tree: Compiled): tree is Message {
  return 'uses' in tree && tree.uses instanceof Map
}

function entriesOf(tree: Compiled): [string, Compiled][] {
  return isMessage(tree) ? [] : Object.entries(tree)
}

function mapped(tree: Exclude<Tree, string>, change: (inner: Tree, key: string) => Compiled): Compiled {
  if (Array.isArray(tree)) return tree.map((inner, at) => change(inner, String(at)))
  return Object.fromEntries(Object.entries(tree).map(([key, inner]) => [key, change(inner, key)]))
}

/** A message with one parameter takes its value; one with several takes an object with their names. */
function signatureOf(english: Message, all: readonly Message[]): string {
  const result = english.isHtml ? 'Html' : 'string'
  const types = [...english.uses.keys()].map((name) => {
    const uses = new Set(all.flatMap((message) => [...(message.uses.get(name) ?? [])]))
    return [name, typeOf(uses)] as const
  })
  if (types.length === 0) return result
  if (types.length === 1)
    return `(${types[0]!.join(types[0]![1].includes('undefined') ? '?: ' : ': ')}) => ${result}`
  return `(values: { ${types.map(([name, type]) => `readonly ${name}: ${type}`).join('; ')} }) => ${result}`
}

function typeOf(uses: ReadonlySet<Use>): string {
  if (uses.has('counted')) return 'number'
  if (uses.has('asked')) return 'boolean'
  return uses.has('absent') ? 'string | number | null | undefined' : 'string | number'
}

function codeOf(tree: Compiled, english: Compiled | undefined): string {
  if (isMessage(tree)) {
    const names = [...tree.uses.keys()]
    const count = english && isMessage(english) ? english.uses.size : 0
    if (count === 0) return tree.code
    if (names.length === 0) return `() => ${tree.code}`
    return count === 1 ? `(${names[0]}) => ${tree.code}` : `({ ${names.join(', ')} }) => ${tree.code}`
  }
  const inner = new Map(english ? entriesOf(english) : [])
  const members = entriesOf(tree).map(([key, one]) => [key, codeOf(one, inner.get(key))] as const)
  if (Array.isArray(tree)) return `[${members.map(([, code]) => code).join(', ')}]`
  return `{\n${members.map(([key, code]) => `${keyOf(key)}: ${code}`).join(',\n')}\n}`
}

/** Returns the imports of a module. @param root the folder of the texts */
function headOf(code: string, root: string): string {
  const imports: [boolean, string][] = [
    [/\bgrouped\(/.test(code), `import { grouped } from '${root}/../web/texts/locale.ts'`],
    [/\bformFor\(/.test(code), `import { formFor } from '${root}/form-for.ts'`],
  ]
  return imports.map(([isUsed, line]) => (isUsed ? `${line}\n` : '')).join('')
}

function keyOf(key: string): string {
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d*)$/.test(key) ? key : JSON.stringify(key)
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
