/** Builds what `npm run serve` serves, in a process of its own that ends: bundlers keep a gigabyte of memory. Prints both folders as JSON. */
import { buildWorker } from '../build.ts'
import { exitWithError } from '../project.ts'
import { buildAssets } from '../web-client.ts'

async function main(): Promise<void> {
  const worker = await buildWorker('served')
  const page = await buildAssets(process.env.WEB_CLIENT)
  console.log(JSON.stringify({ worker: worker.folder, page: page.folder }))
}

if (import.meta.main) await main().catch(exitWithError)
