import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { parseJson } from '../../src/core/json.ts'
import { INTEGRATIONS } from '../../src/integrations/index.ts'

/** MiB of values that the process can hold, of the 128 of a Worker. Making the posts takes half of them. */
const HEAP = 100

/** Returns the code of `read-largest-posts.ts` for Node. */
async function reader(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(PROJECT, 'test/node/read-largest-posts.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

/** Runs the reader in a process with limited memory. Returns what it prints; undefined if it needs more. */
async function read(...how: string[]): Promise<string | undefined> {
  const flags = [`--max-old-space-size=${HEAP}`, '-', ...how]
  const child = execFile(process.execPath, flags, { maxBuffer: 2 ** 24 })
  const printed = text(child.stdout!)
  child.stdin!.end(await reader())
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  return exitCode === 0 ? printed : undefined
}

describe('A post of five megabytes', { timeout: 300_000 }, () => {
  it('takes little memory, whatever its integration, lists, texts and nesting', async () => {
    const printed = await read()
    expect(printed).toBeDefined()
    const kinds = parseJson(printed!) as [service: string, kind: string][]
    expect(new Set(kinds.map(([service]) => service))).toEqual(new Set(INTEGRATIONS.map(({ name }) => name)))
  })

  it('would take more than that if all of it were parsed', async () => {
    expect(await read('wholly')).toBeUndefined()
  })
})
