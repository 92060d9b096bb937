/** Reads posts at their limits and prints what each is; given an argument, parses one of them as a whole. */
import { postsOf } from '../../bench/posts-of-services.ts'
import { parseJson } from '../../src/core/json.ts'
import { INTEGRATIONS } from '../../src/integrations/index.ts'
import { readDelivery } from '../../src/integrations/read-delivery.ts'

if (process.argv[2] !== undefined) {
  parseJson(`[${`${'['.repeat(199)}${']'.repeat(199)},`.repeat(12_000)}1]`)
}

const encoder = new TextEncoder()
const kinds: [service: string, kind: string][] = []
for (const integration of INTEGRATIONS) {
  // Bytes, as they arrive: they lie outside of the limited memory.
  const posts = postsOf(integration).map(({ body, ...post }) => ({ ...post, body: encoder.encode(body) }))
  for (const { headers, query, body } of posts) {
    const { exclude_events = '[]', ...options } = Object.fromEntries(query)
    const isForm = headers['Content-Type']!.includes('form')
    const form = isForm ? Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body))) : {}
    const fields = new Map(Object.entries({ ...options, ...form }))
    const header = (name: string) => headers[name] ?? ''
    const address = { ...options, stream: 'notices', exclude_events: parseJson(exclude_events) as string[] }
    kinds.push([
      integration.name,
      readDelivery(integration, { body, fields, isForm, header, address: '' }, address).kind,
    ])
  }
}
process.stdout.write(JSON.stringify(kinds))
