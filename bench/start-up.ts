/** Measures a start up to the first answer, and the size of the Worker. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWorker } from '../scripts/build.ts'
import { startRuntime, type WorkerOptions } from '../scripts/runtime.ts'
import { bareOptions } from './bare/start-bare.ts'

export interface StartUp {
  /** Bytes of the deployed Worker. */
  readonly size: number
  readonly gzipSize: number
  /** Milliseconds from the start of the process to its first answer, the median of several. */
  readonly firstAnswerMs: number
  readonly bareFirstAnswerMs: number
}

const STARTS = 3

export async function measureStartUp(): Promise<StartUp> {
  const bundle = await buildWorker('deployed')
  const parley = {
    ...bundle.workerOptions,
    name: 'parley',
    rootPath: bundle.folder,
    modules: bundle.modules,
  }
  return {
    size: bundle.size,
    gzipSize: bundle.gzipSize,
    firstAnswerMs: await firstAnswer(parley),
    bareFirstAnswerMs: await firstAnswer(bareOptions()),
  }
}

async function firstAnswer(options: WorkerOptions): Promise<number> {
  const times: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-start-'))
    const began = performance.now()
    const { miniflare, dispose } = await startRuntime({
      ...options,
      resourcePersistencePath: folder,
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      host: '127.0.0.1',
      port: 0,
      cf: false,
    })
    // This request is answered without reading any storage.
    await fetch(`${(await miniflare.unsafeGetDirectURL()).origin}/api/v1/messages`, { method: 'OPTIONS' })
    times.push(performance.now() - began)
    await dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  return times.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0
}
