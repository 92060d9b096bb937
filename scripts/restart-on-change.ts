/** Restarts the server for `npm run dev`. */
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { buildWorker } from './build.ts'
import { buildComponents } from './build-page.ts'
import { compileTexts } from './compile-texts.ts'
import type { LocalServer, LocalServerOptions } from './local-server.ts'
import { startLocalServer } from './local-server.ts'
import { MIGRATIONS, PROJECT, TEXTS, WEB } from './project.ts'
import { buildAssets } from './web-client.ts'

/** The delay in milliseconds, since an editor saves several files, each in several steps. */
const CHANGE_SETTLED_MS = 150

/**
 * Restarts the server on the same port and state whenever its source changes. If the source cannot be built, the old server keeps running.
 * Queues survive the restart, as they survive a deployment.
 */
export function restartOnChange(first: LocalServer, options: LocalServerOptions, webClient?: string): void {
  const port = Number(new URL(first.url).port)
  let server: LocalServer | undefined = first
  let settled: NodeJS.Timeout | undefined
  let work = Promise.resolve()

  const restart = async () => {
    const began = performance.now()
    try {
      await compileTexts()
      const [bundle, page, components] = await Promise.all([
        buildWorker(options.entry ?? 'local'),
        buildAssets(webClient),
        buildComponents(),
      ])
      await server?.stop()
      server = undefined
      server = await startLocalServer({ ...options, bundle, page: page.folder, components, port })
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(`${new Date().toLocaleTimeString()} restarted in ${seconds} s`)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
    }
  }
  const onChange = () => {
    clearTimeout(settled)
    settled = setTimeout(() => {
      work = work.then(restart)
    }, CHANGE_SETTLED_MS)
  }

  watch(join(PROJECT, 'src'), { recursive: true }, onChange)
  watch(WEB, { recursive: true }, onChange)
  watch(MIGRATIONS, onChange)
  for (const { name } of readdirSync(TEXTS, { withFileTypes: true }))
    if (name.length === 2) watch(join(TEXTS, name), onChange)
  if (webClient !== undefined) watch(webClient, { recursive: true }, onChange)
  // Watches the folder instead of the file, which editors replace.
  watch(PROJECT, (_, name) => {
    if (name === 'wrangler.toml') onChange()
  })
  console.log('Restarts when src, web, texts, migrations or wrangler.toml change.')
}
