/**
 * What a server serves besides the Worker: the page, the documentation, and with `--web-client FOLDER` a client that was built elsewhere,
 * at `/`. The built-in page is then at `/parley/`.
 */

import { createHash } from 'node:crypto'
import {
  cpSync,
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
import { basename, join, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { PLACEHOLDERS, WEB_CLIENT_ASSETS, webClientDescription } from '../src/core/web-client.ts'
import { PAGE_FILES, staticHeaders } from '../src/http/pages/page-file-headers.ts'
import { buildDocs, buildPage, type PageBuild } from './build-page.ts'
import { fromJson } from './json.ts'
import { WORK } from './project.ts'

const BUILDS = join(WORK, 'build')
const BUILDS_KEPT = 2
/** Bytes of the client's page, which each isolate reads at its first request. */
const MAX_PAGE = 1024 * 1024

/**
 * Builds the page along with the documentation, and the client's files if there is a client.
 * @throws Error with a sentence for the user.
 */
export async function buildAssets(client: string | undefined): Promise<PageBuild> {
  if (client !== undefined) requireWebClient(client)
  const [page, docs] = [await buildPage(), await buildDocs()]
  const headers = staticHeaders(readdirSync(join(page.folder, PAGE_FILES)))
  const folder = join(BUILDS, `assets-${digestOf([page.folder, docs, headers], client)}`)
  if (!existsSync(folder)) {
    combine([page.folder, docs], client, { folder, headers })
    forgetOldBuilds()
  }
  return { ...page, folder }
}

/**
 * Checks the folder of a web client.
 * @throws Error that says what is wrong with it.
 */
export function requireWebClient(client: string): void {
  const description = readOf(client, 'client.json')
  const checked = v.safeParse(webClientDescription, parse(description))
  if (!checked.success) {
    const [issue] = checked.issues
    throw new Error(
      `client.json of the web client: ${v.getDotPath(issue) ?? 'the whole file'}: ${issue.message}`,
    )
  }
  const page = readOf(client, 'index.html')
  if (page.length > MAX_PAGE) throw new Error('index.html of the web client has more than 1 MiB')
  const named = [...page.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
  const unknown = named.find((name) => !PLACEHOLDERS.some((placeholder) => placeholder === name))
  if (unknown !== undefined) {
    throw new Error(
      `index.html of the web client has the placeholder {{${unknown}}}; there are ${PLACEHOLDERS.join(', ')}`,
    )
  }
  if (named.filter((name) => name === 'page_params').length !== 1) {
    throw new Error('index.html of the web client must have the placeholder {{page_params}} exactly once')
  }
}

function readOf(client: string, name: string): string {
  const path = join(client, name)
  if (!existsSync(path)) throw new Error(`The web client in ${client} has no ${name}`)
  return readFileSync(path, 'utf8')
}

function parse(description: string): unknown {
  try {
    return fromJson(description)
  } catch {
    throw new Error('client.json of the web client is not JSON')
  }
}

/** Combines the files in another folder and renames it then, so that another process finds a whole folder or none. */
function combine(
  [page, docs]: readonly [string, string],
  client: string | undefined,
  { folder, headers }: { folder: string; headers: string },
): void {
  mkdirSync(BUILDS, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  try {
    cpSync(page, draft, { recursive: true })
    cpSync(docs, join(draft, 'docs'), { recursive: true })
    writeFileSync(join(draft, '_headers'), headers)
    if (client !== undefined) {
      // Hidden files are not served.
      const isShown = (path: string) => path === client || !basename(path).startsWith('.')
      cpSync(client, join(draft, WEB_CLIENT_ASSETS), { recursive: true, dereference: true, filter: isShown })
    }
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Returns a digest of names, lengths and times. Contents are not read, since there may be ten thousand files. */
function digestOf(
  [page, docs, headers]: readonly [string, string, string],
  client: string | undefined,
): string {
  const hash = createHash('sha256').update(`${basename(page)}\0${basename(docs)}\0${headers}`)
  if (client === undefined) return hash.digest('hex').slice(0, 16)
  hash.update(`\0${resolve(client)}`)
  const files = readdirSync(client, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`\0${relative(client, path)}\0${size}\0${mtimeMs}`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Deletes old builds. A running server reads its files from its folder, so the newest ones stay. */
function forgetOldBuilds(): void {
  const builds = readdirSync(BUILDS)
    .filter((name) => name.startsWith('assets-'))
    .map((name) => ({ path: join(BUILDS, name), time: statSync(join(BUILDS, name)).ctimeMs }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of builds.slice(BUILDS_KEPT)) rmSync(path, { recursive: true, force: true })
}
