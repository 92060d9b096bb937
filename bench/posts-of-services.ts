/** Posts of services at their limits, with the key of a bot and with an invented one. */
import type { ApiClient } from '../scripts/api-client.ts'
import { parseJson } from '../src/core/json.ts'
import { INTEGRATIONS } from '../src/integrations/index.ts'
import { type Integration, OPTION_NAMES } from '../src/integrations/integration.ts'
import { SERVICE_SAMPLES } from '../src/integrations/service-samples.ts'

/** A post to `/external/{service}`. */
export interface PostOfService {
  readonly name: string
  readonly service: string
  readonly headers: Readonly<Record<string, string>>
  /** Without the key. */
  readonly query: URLSearchParams
  readonly body: string
}

interface Sample {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly form?: Readonly<Record<string, string>>
}

/** Bytes of a post; the server reads 5 MiB. */
const POST_BYTES = 4_500_000
/** Characters of an option, and of all in an address. */
const OPTION_LENGTH = 9_900
const OPTION_IN_QUERY = 700
const LONGEST_TEXT = 200_000
const LEVELS = 190

/** A text of patterns that fit many names badly, and of Markdown. */
const PATTERNS = '*a*a*a*b,[!a-y]*,?*?*?*,{{#each}}{{a|list}},'

/** Creates a bot that takes posts, and returns its key. */
export async function keyOfBot(client: ApiClient): Promise<string> {
  const bot = { full_name: 'Posts', short_name: `posts-${crypto.randomUUID().slice(0, 8)}`, bot_type: 2 }
  const { api_key } = await client.call<{ api_key: string }>('POST', '/bots', bot)
  return api_key
}

/** For each service its sample with all texts and lists as long as a post allows, with every option, and what is no sample at all. */
export function postsAtLimits(): PostOfService[] {
  return INTEGRATIONS.flatMap(postsOf)
}

/** Returns those of one service: each has megabytes. */
export function postsOf({ name: service, body }: Integration): PostOfService[] {
  const { headers = {}, ...sample } = parseJson(SERVICE_SAMPLES[service]!) as Sample
  const given = sample.body ?? sample.form ?? {}
  const large = JSON.stringify(atLimits(given, POST_BYTES))
  const deep = `${'['.repeat(LEVELS)}${'"a",'.repeat(POST_BYTES / 8)}1${']'.repeat(LEVELS)}`
  const inJson = (text: string) => ({
    headers: { ...headers, 'Content-Type': 'application/json' },
    query: options(OPTION_IN_QUERY),
    body: text,
  })
  // A form takes twice as many bytes for the same. Where a service may post fields, they are values themselves.
  const half = atLimits(given, POST_BYTES / 2) as object
  const fields = Object.entries(half).map(([name, value]) => [name, String(value)])
  const form = new URLSearchParams(body === 'form' ? fields : [['payload', JSON.stringify(half)]])
  for (const [option, value] of options(OPTION_LENGTH)) form.set(option, value)
  return [
    { name: `a post of ${service}, at its limits`, service, ...inJson(large) },
    { name: `a post of ${service}, nested`, service, ...inJson(deep) },
    {
      name: `a post of ${service}, as a form`,
      service,
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      query: new URLSearchParams(),
      body: form.toString(),
    },
  ]
}

/** Returns every option of any service, and the filters of events. */
function options(length: number): URLSearchParams {
  const patterns = PATTERNS.repeat(Math.ceil(length / PATTERNS.length)).slice(0, length)
  const filter = JSON.stringify(Array.from({ length: length / 20 }, (_, at) => `*a*a*${at}*`))
  return new URLSearchParams([
    ...OPTION_NAMES.map((name) => [name, patterns] as [string, string]),
    ['exclude_events', filter],
  ])
}

/** Returns the value with its texts and lists made longer, so that its JSON has about `room` characters. */
function atLimits(value: unknown, room: number): unknown {
  if (typeof value === 'string') return value + `${PATTERNS}😀`.repeat(Math.min(room, LONGEST_TEXT) / 50)
  if (Array.isArray(value)) {
    const item = value[0] ?? 'a'
    const each = JSON.stringify(item).length + 1
    return Array.from({ length: Math.max(Math.floor(room / each), 1) }, () => item)
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const share = room / Math.max(entries.length, 1)
  return Object.fromEntries(entries.map(([key, inner]) => [key, atLimits(inner, share)]))
}
