/**
 * `npm run release -- FOLDER`: puts what a server on one's own machine needs into a folder, for this kind of machine: the built Worker and page,
 * the program, Node, and Miniflare with workerd. Nothing is installed or compiled where it runs (docs/own-machine.md). A release takes up some 330 MB.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { buildWorker } from './build.ts'
import { fromJson } from './json.ts'
import { exitWithError, PROJECT } from './project.ts'
import { PAGE_OF_RELEASE, WORKER_OF_RELEASE } from './serve/release-folder.ts'
import { buildAssets } from './web-client.ts'

/** The packages that a server imports. Only they, and what they need, are in a release. */
const IMPORTED = ['miniflare', 'croner']

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

async function main(): Promise<void> {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Usage: npm run release -- FOLDER')
  const into = resolve(folder)
  if (existsSync(into)) throw new Error(`${into} exists already. Choose another folder.`)
  const [bundle, assets] = [await buildWorker('served'), await buildAssets(process.env.WEB_CLIENT)]
  mkdirSync(join(into, 'bin'), { recursive: true })
  cpSync(bundle.folder, join(into, WORKER_OF_RELEASE), { recursive: true })
  cpSync(assets.folder, join(into, PAGE_OF_RELEASE), { recursive: true })
  for (const path of packagesOf(IMPORTED)) {
    cpSync(join(PROJECT, path), join(into, path), { recursive: true, filter: isNeeded })
  }
  await build({
    entryPoints: [join(PROJECT, 'scripts/serve/release-entry.ts')],
    outfile: join(into, 'parley.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Scripts that are commands themselves are only parts here.
    define: { 'import.meta.main': 'false' },
  })
  cpSync(process.execPath, join(into, 'bin/node'))
  writeFileSync(
    join(into, 'parley'),
    '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/bin/node" "$(dirname "$(readlink -f "$0")")/parley.mjs" "$@"\n',
  )
  chmodSync(join(into, 'parley'), 0o755)
  console.log(`${into}: start it with ${join(into, 'parley')}; --help lists what else it does.`)
}

/** Returns the folders of packages and of all that they need on this kind of machine, as the lock file has them. */
function packagesOf(names: readonly string[]): string[] {
  const { packages } = fromJson<{ packages: Record<string, LockedPackage> }>(
    readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
  )
  const found = new Set<string>()
  const add = (wanted: string, from: string) => {
    const path = placeOf(wanted, from, packages)
    if (path === undefined || found.has(path) || !existsSync(join(PROJECT, path))) return
    found.add(path)
    const { dependencies, optionalDependencies } = packages[path]!
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, path)
  }
  for (const name of names) add(name, '')
  return [...found]
}

/** Returns where a package finds another one: inside itself, or in the nearest folder above. */
function placeOf(
  name: string,
  from: string,
  packages: Readonly<Record<string, unknown>>,
): string | undefined {
  const here = join(from, 'node_modules', name)
  if (packages[here]) return here
  if (from === '') return undefined
  const above = dirname(from)
  return placeOf(name, above === '.' ? '' : above, packages)
}

/** Maps and types are only for whoever develops, and workerd's program is also in the package for this kind of machine. */
function isNeeded(path: string): boolean {
  return !/\.(?:map|d\.[cm]?ts|md)$|\/workerd\/bin$/.test(path)
}

if (import.meta.main) await main().catch(exitWithError)
