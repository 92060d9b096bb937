import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/core/json.ts'
import { INTEGRATIONS } from '../../src/integrations/index.ts'

/** MiB of values that the process can hold, of the 128 that a Worker has. */
const HEAP = 100

const posts = 'bench/posts-of-services.ts'
const integrations = 'src/integrations/index.ts'
const delivery = 'src/integrations/read-delivery.ts'

/** Reads posts at their limits, in a process that ends when they take more memory. */
const READER = `
import { postsOf } from './${posts}'
import { INTEGRATIONS } from './${integrations}'
import { readDelivery } from './${delivery}'

const encoder = new TextEncoder()
const kinds = []
for (const integration of INTEGRATIONS) {
  // Bytes, as they arrive: they lie outside of the limited memory.
  const posts = postsOf(integration).map(({ body, ...post }) => ({ ...post, body: encoder.encode(body) }))
  for (const { headers, query, body } of posts) {
    const { exclude_events = '[]', ...options } = Object.fromEntries(query)
    const isForm = headers['Content-Type'].includes('form')
    const form = isForm ? Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))) : {}
    const fields = new Map(Object.entries({ ...options, ...form }))
    const header = (name) => headers[name] ?? ''
    const address = { ...options, stream: 'notices', exclude_events: JSON.parse(exclude_events) }
    kinds.push([integration.name, readDelivery(integration, { body, fields, isForm, header }, address).kind])
  }
}
process.stdout.write(JSON.stringify(kinds))
`

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

/** Runs code in a process whose values may take so many MiB. Returns what it prints; undefined if it runs out of memory. */
async function inMemory(code: string, mib: number): Promise<string | undefined> {
  const child = execFile(process.execPath, [`--max-old-space-size=${mib}`, '-'], { maxBuffer: 2 ** 24 })
  const printed = text(child.stdout!)
  child.stdin!.end(code)
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  return exitCode === 0 ? printed : undefined
}

describe('A post of five megabytes', () => {
  it('takes little memory, whatever its integration, lists, texts and nesting', async () => {
    const printed = await inMemory(await bundled(READER), HEAP)
    expect(printed).toBeDefined()
    const kinds = parseJson(printed!) as [service: string, kind: string][]
    expect(new Set(kinds.map(([service]) => service))).toEqual(new Set(INTEGRATIONS.map(({ name }) => name)))
  })

  it('would take more than that if all of it were parsed', async () => {
    const parse = `JSON.parse('[' + ('['.repeat(199) + ']'.repeat(199) + ',').repeat(12_000) + '1]')`
    expect(await inMemory(parse, HEAP)).toBeUndefined()
  })
})
