/** `npm run texts`: puts the English message where another language lacks one, until somebody translates it; and takes away what English has no more. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compileTexts } from './compile-texts.ts'
import { fromJson } from './json.ts'
import { exitWithError, PROJECT, runProgram, TEXTS } from './project.ts'

/** A message, or a group. */
export type Tree = string | readonly Tree[] | { readonly [Key in string]: Tree }

/**
 * Returns a language's messages with the keys of English, in their order. A group without any in English is each language's own.
 * @param said gets the path of each message that is English
 */
export function filled(english: Tree, other: Tree | undefined, path: string, said: string[]): Tree {
  if (other === undefined) said.push(path)
  if (other === undefined || isMessage(english) || isMessage(other)) return other ?? english
  const theirs = new Map(Object.entries(other))
  const entries = Object.entries(english)
  if (entries.length === 0) return other
  return Object.fromEntries(
    entries.map(([key, tree]) => [key, filled(tree, theirs.get(key), `${path}.${key}`, said)]),
  )
}

/** What is chosen by its number is translated as a whole. */
function isMessage(tree: Tree): tree is string | readonly Tree[] {
  return typeof tree === 'string' || Array.isArray(tree)
}

async function main(): Promise<void> {
  const written: [string, Tree][] = []
  const english = globSync('en/*.json', { cwd: TEXTS })
  for (const path of globSync('[a-z][a-z]/', { cwd: TEXTS })) {
    if (path === 'en') continue
    for (const file of english.map((one) => basename(one))) {
      const said: string[] = []
      const target = join(TEXTS, path, file)
      const whole = filled(treeIn(join(TEXTS, 'en', file)), treeIn(target), basename(file, '.json'), said)
      for (const message of said) console.log(`texts/${path}: ${message} is English`)
      if (keysOf(whole) !== keysOf(treeIn(target))) written.push([target, whole])
    }
  }
  for (const [path, tree] of written) writeFileSync(path, withEscapes(JSON.stringify(tree, null, 2)))
  if (written.length > 0)
    await runProgram(join(PROJECT, 'node_modules/@biomejs/biome/bin/biome'), [
      'format',
      '--write',
      ...written.map(([path]) => path),
    ])
  await compileTexts()
}

/** Returns the keys of all messages as one text, whatever their order. */
function keysOf(tree: Tree): string {
  if (isMessage(tree)) return ''
  const inner = Object.entries(tree).map(([key, one]) => `${key}${keysOf(one)}`)
  return `{${inner.sort().join()}}`
}

/** Returns JSON in which one sees what has no width. */
function withEscapes(json: string): string {
  return json.replaceAll(
    /[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const treeIn = (path: string): Tree =>
  fromJson<{ readonly [Key in string]: Tree }>(readFileSync(path, 'utf8'))

if (import.meta.main) await main().catch(exitWithError)
