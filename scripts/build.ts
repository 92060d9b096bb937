/**
 * Bundles a Worker entry, for `npm start`, the tests over HTTP and `npm run deploy`, and caches the result until one of its sources changes.
 * `npm run build` builds both entries and the page, prints their sizes, and checks the work of the deployed one's start.
 */

import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPage } from './build-page.ts'
import { fromJson } from './json.ts'
import type { Migration } from './migrations.ts'
import { readMigrations } from './migrations.ts'
import {
  exitWithError,
  MIGRATIONS,
  NO_PAGE,
  PROJECT,
  runWrangler,
  TEXTS,
  WORK,
  WRANGLER_CONFIG,
} from './project.ts'
import { measureStartUp, START_UP_MS } from './start-up.ts'
import { WITHOUT_CONSOLE } from './without-console.ts'

/** `deployed`: what `npm run deploy` puts online. `local`: the same with the development endpoints. `served`: that of `npm run serve`. */
export type Entry = 'deployed' | 'local' | 'served'

const ENTRY_FILES: Record<Entry, string> = {
  deployed: 'src/worker.ts',
  local: 'src/dev/worker.ts',
  served: 'src/own-machine/worker.ts',
}

/** The file of the main module in the folder of a bundle, for both entries. */
export const MAIN_MODULE = 'worker.js'

/** Everything that a server needs, so that it starts without wrangler and the bundler. */
export interface WorkerBundle {
  folder: string
  /** The main module first; file names inside `folder`. */
  modules: { type: 'ESModule' | 'Text' | 'Data' | 'CompiledWasm'; path: string }[]
  /** Miniflare's options from wrangler.toml: bindings, compatibility, Durable Objects. */
  workerOptions: Record<string, unknown>
  migrations: Migration[]
  /** Bytes of all modules, plain and compressed. */
  size: number
  gzipSize: number
}

const MODULE_TYPES: Record<string, WorkerBundle['modules'][number]['type']> = {
  js: 'ESModule',
  mjs: 'ESModule',
  wasm: 'CompiledWasm',
  bin: 'Data',
  txt: 'Text',
  html: 'Text',
  sql: 'Text',
}

const BUILDS = join(WORK, 'build')
const BUILDS_KEPT = 4

/** Builds under way: a second request for the same bundle waits for the first build. */
const underWay = new Map<string, Promise<void>>()

/** @throws {ProgramFailedError} with the bundler's words, when the source cannot be bundled. */
export async function buildWorker(entry: Entry): Promise<WorkerBundle> {
  const folder = folderFor(entry)
  if (!isBuilt(folder)) {
    const build = underWay.get(folder) ?? bundleInto(folder, entry)
    underWay.set(folder, build)
    await build.finally(() => underWay.delete(folder))
    forgetOldBuilds(entry)
  }
  // The folder is missing if the source changed while it was bundled.
  return isBuilt(folder) ? readBundle(folder) : buildWorker(entry)
}

function folderFor(entry: Entry): string {
  return join(BUILDS, `${entry}-${hashInputs(entry)}`)
}

/**
 * Builds into a temporary folder and renames it, so that another process finds a whole build or none. Discards the build if the source
 * changed meanwhile, since it would match no state of the source.
 */
async function bundleInto(folder: string, entry: Entry): Promise<void> {
  mkdirSync(BUILDS, { recursive: true })
  mkdirSync(NO_PAGE, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  try {
    const [{ unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery }] = await Promise.all([
      import('wrangler'),
      runWrangler([
        'deploy',
        join(PROJECT, ENTRY_FILES[entry]),
        ...['--config', WRANGLER_CONFIG, '--dry-run', '--outdir', draft],
      ]),
    ])
    await shorten(join(draft, MAIN_MODULE))
    const modules = listModules(draft)
    const contents = modules.map((module) => readFileSync(join(draft, module.path)))
    const bundle: Omit<WorkerBundle, 'folder'> = {
      modules,
      workerOptions: unstable_getMiniflareWorkerOptions(WRANGLER_CONFIG).workerOptions,
      migrations: readMigrations(unstable_splitSqlQuery),
      size: contents.reduce((sum, content) => sum + content.length, 0),
      gzipSize: contents.reduce((sum, content) => sum + gzipSync(content).length, 0),
    }
    writeFileSync(join(draft, 'bundle.json'), JSON.stringify(bundle))
    if (folderFor(entry) === folder) renameSync(draft, folder)
  } catch (error) {
    // Another process was faster, and built the same source.
    if (!isBuilt(folder)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** The length of a line of the bundle. Errors in the log give positions in these lines. */
const LINE = 120

/**
 * Removes spaces and comments, and escapes whatever is not ASCII: V8 keeps the code of a module in each isolate, and a single
 * character beyond Latin-1 makes it take two bytes for every character. Names stay, for the errors in the log, and there is a new source map
 * (`SourcesOfBundle`). Dependencies lose the `console`.
 */
async function shorten(file: string): Promise<void> {
  const { transform } = await import('esbuild')
  const written = readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
  const inBase64 = readFileSync(`${file}.map`, 'base64')
  const { code, map } = await transform(
    `${written}\n//# sourceMappingURL=data:application/json;base64,${inBase64}`,
    {
      minifyWhitespace: true,
      lineLimit: LINE,
      legalComments: 'eof',
      target: 'es2024',
      ...WITHOUT_CONSOLE,
      sourcemap: 'external',
      sourcesContent: false,
    },
  )
  // Strings are ASCII by now; regular expressions and tagged templates are not. After a backslash, an escape would mean something else.
  if (/\\[^\p{ASCII}]/u.test(code))
    throw new Error(`${file} has a backslash before a character that is not ASCII`)
  writeFileSync(file, code.replaceAll(/[^\0-\x7f]/g, escaped))
  writeFileSync(`${file}.map`, map)
}

/** @param unit a UTF-16 unit: half of a pair is escaped by itself, which means the same. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'bundle.json'))
}

/** Reads a bundle from its folder. */
export function readBundle(folder: string): WorkerBundle {
  return {
    folder,
    ...fromJson<Omit<WorkerBundle, 'folder'>>(readFileSync(join(folder, 'bundle.json'), 'utf8')),
  }
}

/** Wrangler writes the entry next to its source map and a README; other modules keep their extension. */
function listModules(folder: string): WorkerBundle['modules'] {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const type = MODULE_TYPES[path.split('.').at(-1) ?? '']
    return type === undefined ? [] : [{ type, path }]
  })
  return modules.sort((a, b) => Number(b.path === MAIN_MODULE) - Number(a.path === MAIN_MODULE))
}

function hashInputs(entry: Entry): string {
  const hash = createHash('sha256').update(entry)
  const add = (path: string) => hash.update(`\0${relative(PROJECT, path)}\0`).update(readFileSync(path))
  add(import.meta.filename)
  add(join(import.meta.dirname, 'without-console.ts'))
  add(WRANGLER_CONFIG)
  add(join(PROJECT, 'package-lock.json'))
  add(join(PROJECT, 'tsconfig.json'))
  for (const folder of [join(PROJECT, 'src'), TEXTS, MIGRATIONS]) {
    if (!existsSync(folder)) continue
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) add(path)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Deletes old builds. A running server has read its modules already, so only a server that is starting could miss one. */
function forgetOldBuilds(entry: Entry): void {
  const builds = readdirSync(BUILDS)
    .filter((name) => name.startsWith(`${entry}-`))
    .map((name) => ({ path: join(BUILDS, name), time: statSync(join(BUILDS, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of builds.slice(BUILDS_KEPT)) rmSync(path, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
  for (const entry of ['deployed', 'local'] as const) {
    const bundle = await buildWorker(entry)
    console.log(`${entry}: ${kilobytes(bundle.size)}, ${kilobytes(bundle.gzipSize)} compressed`)
    console.log(`  ${relative(PROJECT, bundle.folder)}`)
  }
  const startUp = await measureStartUp(await buildWorker('deployed'))
  console.log(`start of the deployed one: ${startUp.toFixed(0)} ms of work`)
  if (startUp > START_UP_MS) throw new Error(`The Worker's start may take ${START_UP_MS} ms of work.`)
  const page = await buildPage()
  console.log(`page: ${kilobytes(page.firstLoad)} compressed at first load, ${kilobytes(page.size)} in all`)
  console.log(`  ${relative(PROJECT, page.folder)}`)
}

if (import.meta.main) await main().catch(exitWithError)
