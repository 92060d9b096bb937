import { describe, expect, it } from 'vitest'
import {
  describeParameter,
  ENDPOINTS,
  type Endpoint,
  readParameters,
} from '../support/inside-declarations.ts'

/** Reads one parameter alone. */
function readWith(endpoint: Endpoint, name: string, value: string) {
  const alone = { ...endpoint, params: { [name]: endpoint.params[name]! } }
  return readParameters(alone, { values: new Map([[name, value]]), files: [] }, {})
}

const parameters = ENDPOINTS.flatMap((endpoint) =>
  Object.entries(endpoint.params).map(
    ([name, schema]) =>
      [`${endpoint.operation}, ${name}`, endpoint, name, describeParameter(name, schema)] as const,
  ),
)

/** A text longer than any limit, and JSON longer than any limit. */
const HUGE = ['x'.repeat(2_100_000), `[${'1,'.repeat(1_100_000)}1]`, '['.repeat(2_100_000)]

describe('a value far over its limit is refused or cut before it is processed', () => {
  it.each(parameters)('%s', (_, endpoint, name) => {
    for (const huge of HUGE) {
      const read = readWith(endpoint, name, huge)
      if (read.ok) {
        // Texts of messages and their topics are cut, never refused.
        expect(['content', 'topic']).toContain(name)
        expect(String(read.value[name]).length).toBeLessThanOrEqual(200_000)
      } else expect(read.error.toWire().status).toBe(400)
    }
  })
})

describe('one item or character over the limit is refused, and exactly the limit accepted', () => {
  const limited = parameters.filter(
    ([, , name, { schema }]) =>
      schema.type === 'array' ||
      (schema.type === 'string' && schema.pattern === undefined && !['content', 'topic'].includes(name)),
  )
  it.each(limited)('%s', (_, endpoint, name, { schema, isJson }) => {
    const limit = Number(schema.maxItems ?? schema.maxLength)
    const text = (length: number) => (isJson ? JSON.stringify('x'.repeat(length - 2)) : 'x'.repeat(length))
    const sized = (size: number) =>
      schema.type === 'array' ? JSON.stringify(Array.from({ length: size }, () => 0)) : text(size)
    const what = schema.type === 'array' ? 'items' : 'characters'
    const refusal = `${name} is too long (limit: ${limit} ${what})`
    const past = readWith(endpoint, name, sized(limit + 1))
    expect(past.ok ? 'taken' : past.error.toWire().msg).toBe(refusal)
    // Two characters less: the quotes count in a value of any type.
    const within = readWith(endpoint, name, sized(limit - 2))
    expect(within.ok ? 'taken' : within.error.toWire().msg).not.toBe(refusal)
  })
})
