/**
 * Compiles the messages in `texts/LANGUAGE/AREA.json` to TypeScript in `texts/compiled`, which git does not keep. Each npm script begins with
 * it, and so do tests; nothing is done while what is compiled is current.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromJson } from './json.ts'
import { TEXTS } from './project.ts'

const COMPILED = join(TEXTS, 'compiled')
const NOTES = join(TEXTS, 'notes.json')
const CONSTANTS = join(TEXTS, 'constants.json')
/** The digest of everything that was compiled; written last. */
const STAMP = join(COMPILED, 'stamp')

/** @throws Error that lists every wrong message */
export async function compileTexts(): Promise<void> {
  const sources = sourcesIn(TEXTS)
  const stamp = digestOf([NOTES, CONSTANTS, ...sources.map(({ path }) => path), ...compilers()])
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return
  const { modulesOf } = await import('./text-modules.ts')
  const modules = modulesOf(sources, {
    notes: fromJson(readFileSync(NOTES, 'utf8')),
    constants: fromJson(readFileSync(CONSTANTS, 'utf8')),
  })
  for (const [path, code] of modules) replace(join(COMPILED, path), code)
  for (const path of filesIn(COMPILED))
    if (!modules.has(path) && path !== 'stamp') rmSync(join(COMPILED, path))
  replace(STAMP, stamp)
}

/** A file of messages. */
export interface Source {
  readonly path: string
  readonly language: string
  /** The area, or a part of one: `settings`, `settings.bots`. */
  readonly name: string
}

function sourcesIn(folder: string): Source[] {
  return filesIn(folder).flatMap((file) => {
    const [, language, name] = /^([a-z]{2})\/([\w.-]+)\.json$/.exec(file) ?? []
    return language && name ? [{ path: join(folder, file), language, name }] : []
  })
}

function compilers(): string[] {
  return ['compile-texts.ts', 'text-modules.ts', 'compile-message.ts'].map((name) =>
    join(import.meta.dirname, name),
  )
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** Another process that reads the file meanwhile gets it whole. */
function replace(path: string, content: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, path)
}

if (import.meta.main) {
  await compileTexts().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
