/**
 * `npm run docs [-- FOLDER]`: writes the documentation as a site of static files, by default to `.parley/docs`. Its addresses are relative, so
 * any web server can serve the folder below any path. A deployment has the same pages at `/docs/`.
 */
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { buildDocs } from './build-page.ts'
import { exitWithError, WORK } from './project.ts'

const MADE = join(WORK, 'docs')

/** @throws {Error} if the folder has other files. */
async function main(): Promise<void> {
  const [asked] = process.argv.slice(2)
  const folder = asked === undefined ? MADE : resolve(asked)
  const isOther =
    existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'search.json'))
  if (isOther) throw new Error(`${folder} has other files. Name an empty folder, or a new one.`)
  const built = await buildDocs()
  rmSync(folder, { recursive: true, force: true })
  cpSync(built, folder, { recursive: true })
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  console.log(`${pages.length} pages written to ${relative(process.cwd(), folder) || '.'}`)
}

if (import.meta.main) await main().catch(exitWithError)
