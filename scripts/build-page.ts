/** Builds the page, the page of its components and the documentation, and caches each build until one of its sources changes. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
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
import { basename, dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PROJECT, TEXTS, WEB, WORK } from './project.ts'

/** The views that most visits begin with; their files bear these names (web/vite.config.ts). */
type FirstView = 'inbox' | 'conversation'

export interface PageBuild {
  folder: string
  /** Bytes of all files. */
  size: number
  /** The compressed bytes of script and style that the page loads before it shows anything. */
  firstLoad: number
  /** The same with the code of the view that it begins with. */
  starts: Record<FirstView, number>
  /** The bytes of the fonts that it loads as well. */
  firstFonts: number
}

const BUILDS = join(WORK, 'build')
const BUILDS_KEPT = 4

/** The folders of `src` whose code is in the page too. */
const RULES = [join(PROJECT, 'src/rules'), join(PROJECT, 'src/core')]

/** The builds, each with its own configuration. */
const CONFIGS = {
  page: join(WEB, 'vite.config.ts'),
  components: join(WEB, 'components/vite.config.ts'),
  docs: join(WEB, 'docs/vite.config.ts'),
} as const

type Kind = keyof typeof CONFIGS

const underWay = new Map<Kind, Promise<string>>()

/** @throws Error with the bundler's words. */
export async function buildPage(): Promise<PageBuild> {
  return measure(await build('page'))
}

/**
 * Builds the page that shows each component, for a local server alone; returns its folder.
 * @throws Error with the bundler's words.
 */
export function buildComponents(): Promise<string> {
  return build('components')
}

/**
 * Builds the documentation as a site of static files; returns its folder.
 * @throws Error with the bundler's words.
 */
export function buildDocs(): Promise<string> {
  return build('docs')
}

function build(kind: Kind): Promise<string> {
  const known = underWay.get(kind)
  if (known) return known
  const begun = buildOnce(kind).finally(() => underWay.delete(kind))
  underWay.set(kind, begun)
  return begun
}

async function buildOnce(kind: Kind): Promise<string> {
  const folder = folderOfSources(kind)
  if (!isBuilt(folder)) {
    await buildInto(kind, folder)
    forgetOldBuilds(kind)
  }
  // The folder is missing if the source changed during the build.
  return isBuilt(folder) ? folder : buildOnce(kind)
}

/** Builds into a temporary folder and renames it, so that another process finds a whole build or none. */
async function buildInto(kind: Kind, folder: string): Promise<void> {
  mkdirSync(BUILDS, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  try {
    const vite = await import('vite')
    await inProduction(() =>
      vite.build({
        configFile: CONFIGS[kind],
        logLevel: 'warn',
        build: { outDir: draft, emptyOutDir: false },
      }),
    )
    if (kind === 'docs') await writeDocsInto(draft)
    if (folderOfSources(kind) === folder) renameSync(draft, folder)
  } catch (error) {
    // Another process was faster, and built the same source.
    if (!isBuilt(folder)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

async function writeDocsInto(folder: string): Promise<void> {
  const { docsSite } = await import('./docs-site.ts')
  for (const [path, file] of docsSite()) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    if ('text' in file) writeFileSync(target, file.text)
    else copyFileSync(join(PROJECT, file.copyOf), target)
  }
}

/**
 * Runs the bundler in production mode even in a test, whose mode would put paths of the source into a build that the next deployment reuses.
 */
async function inProduction<Result>(build: () => Promise<Result>): Promise<Result> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    return await build()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

function measure(folder: string): PageBuild {
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = [...index.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
  const fonts = [...index.matchAll(/href="\.\/([^"]+\.woff2)"/g)].map(([, path]) => path!)
  const files = filesIn(folder)
  const compressed = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0)
  const firstLoad = compressed(first.map((path) => join(folder, path)))
  const startWith = (view: FirstView) =>
    firstLoad + compressed(files.filter((path) => basename(path).startsWith(`${view}-`)))
  return {
    folder,
    size: files.reduce((sum, path) => sum + statSync(path).size, 0),
    firstLoad,
    starts: { inbox: startWith('inbox'), conversation: startWith('conversation') },
    firstFonts: fonts.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0),
  }
}

function folderOfSources(kind: Kind): string {
  const hash = createHash('sha256')
  for (const path of [join(PROJECT, 'package-lock.json'), import.meta.filename, ...sourcesOf(kind)]) {
    hash.update(`\0${relative(PROJECT, path)}\0`).update(readFileSync(path))
  }
  return join(BUILDS, `${kind}-${hash.digest('hex').slice(0, 16)}`)
}

/** The sources of the documentation include pages in the root folder, and scripts. */
function sourcesOf(kind: Kind): string[] {
  if (kind !== 'docs') return [WEB, TEXTS, ...RULES].flatMap(filesIn)
  const pages = readdirSync(PROJECT).filter((name) => name.endsWith('.md'))
  const scripts = ['docs-site.ts', 'diagrams.ts', 'markdown-anchors.ts'].map((name) =>
    join(import.meta.dirname, name),
  )
  return [
    ...filesIn(WEB),
    ...filesIn(join(PROJECT, 'docs')),
    ...pages.map((name) => join(PROJECT, name)),
    ...scripts,
  ]
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .sort()
}

/** Deletes old builds. A running server reads its page from its folder, so the newest ones stay. */
function forgetOldBuilds(kind: Kind): void {
  const builds = readdirSync(BUILDS)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => ({ path: join(BUILDS, name), time: statSync(join(BUILDS, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of builds.slice(BUILDS_KEPT)) rmSync(path, { recursive: true, force: true })
}
