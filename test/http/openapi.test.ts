import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/events/index.ts'
import { ENDPOINTS } from '../support/inside-declarations.ts'
import type { Json } from '../support/json.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm()

async function fetchDocument(): Promise<Json> {
  const { status, body } = await realm.anonymous.get('/openapi.json')
  expect(status).toBe(200)
  return body
}

it('the document is counted by network, like other requests without credentials', async () => {
  world.settings = { RATE_LIMIT_API_BY_IP: '2/60' }
  const ask = (ip: string) =>
    realm.anonymous.request('GET', '/openapi.json', {}, { headers: { 'CF-Connecting-IP': ip } })
  const statuses = [
    await ask('192.0.2.7'),
    await ask('192.0.2.7'),
    await ask('192.0.2.7'),
    await ask('192.0.2.8'),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429, 200])
  expect(statuses[2]!.body.code).toBe('RATE_LIMIT_HIT')
})

const METHODS = ['get', 'post', 'patch', 'put', 'delete']

/** Every operation with its path. */
function operationsOf(document: Json): { path: string; method: string; item: Json; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      path,
      method,
      item,
      operation: item[method],
    })),
  )
}

/** Visits every object of the document, with its path in it. */
function walk(value: Json, visit: (value: Json, way: string) => void, way = '#'): void {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) visit(value, way)
  for (const [key, child] of Object.entries(value)) {
    walk(child, visit, `${way}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

function schemasOf(document: Json): { schema: Json; way: string }[] {
  const found: { schema: Json; way: string }[] = []
  walk(document, (value, way) => {
    if ('schema' in value && way.includes('/paths/'))
      found.push({ schema: value.schema, way: `${way}/schema` })
  })
  return found
}

const KEYWORDS = new Set(
  `type properties required items prefixItems enum const anyOf allOf additionalProperties minimum maximum
   minLength maxLength minItems maxItems maxProperties propertyNames pattern default description title contentMediaType not $ref`.split(
    /\s+/,
  ),
)
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

function problemsOfSchema(schema: Json, way: string): string[] {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return [`${way} is no schema`]
  const problems = Object.keys(schema)
    .filter((keyword) => !KEYWORDS.has(keyword))
    .map((keyword) => `${way} has the unknown keyword ${keyword}`)
  if ('type' in schema && ![schema.type].flat().every((type) => TYPES.includes(type)))
    problems.push(`${way} has the type ${schema.type}`)
  if (schema.type === 'array' && !('items' in schema) && !('prefixItems' in schema))
    problems.push(`${way} has no items`)
  for (const name of schema.required ?? []) {
    if (!(name in (schema.properties ?? {}))) problems.push(`${way} requires ${name}, which it lacks`)
  }
  if ('enum' in schema && schema.enum.length === 0) problems.push(`${way} allows nothing`)
  const nested: [string, Json][] = [
    ...Object.entries<Json>(schema.properties ?? {}),
    ...(schema.items ? [['items', schema.items] as [string, Json]] : []),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.prefixItems ?? [])].map(
      (part, index): [string, Json] => [String(index), part],
    ),
    ...(typeof schema.additionalProperties === 'object'
      ? [['additionalProperties', schema.additionalProperties] as [string, Json]]
      : []),
  ]
  return [...problems, ...nested.flatMap(([key, inner]) => problemsOfSchema(inner, `${way}/${key}`))]
}

const LIMIT_OF: Record<string, string> = {
  string: 'maxLength',
  array: 'maxItems',
  number: 'maximum',
  integer: 'maximum',
}

/** Returns the values in a schema that declare no limit. Values from a list of words, and files, need none. */
function unlimitedParts(schema: Json, way: string): string[] {
  const found: string[] = []
  walk(
    schema,
    (value, position) => {
      const limit = LIMIT_OF[value.type]
      if (limit !== undefined && !(limit in value) && !('enum' in value) && !('contentMediaType' in value))
        found.push(`${position} lacks ${limit}`)
      if (typeof value.additionalProperties === 'object' && !('maxProperties' in value))
        found.push(`${position} lacks maxProperties`)
    },
    way,
  )
  return found
}

/** Returns the parts of a declared answer that could be anything: no test would notice what is undeclared there. */
function openParts(schema: Json, way: string): string[] {
  const parts: Json[] = [schema.item, schema.wrapped, schema.value, schema.rest, ...(schema.items ?? [])]
  if (typeof schema.options?.[0] === 'object') parts.push(...schema.options)
  const nested = [
    ...Object.entries<Json>(schema.entries ?? {}),
    ...parts.filter((part) => typeof part === 'object').map((part): [string, Json] => [part.type, part]),
  ]
  const isOpen = ['any', 'unknown', 'custom', 'lazy', 'loose_object'].includes(schema.type)
  return [...(isOpen ? [way] : []), ...nested.flatMap(([name, part]) => openParts(part, `${way}.${name}`))]
}

it('the OpenAPI document types every part of every answer', () => {
  expect(ENDPOINTS.flatMap(({ operation, returns }) => openParts(returns, operation))).toEqual([])
})

describe('the OpenAPI document', () => {
  it('has its version and description, without login', async () => {
    const document = await fetchDocument()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Parley', version: expect.stringMatching(/./) },
      servers: [{ url: '/api/v1' }],
      security: [{ apiKey: [] }],
    })
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'basic' })
  })

  it('has every endpoint that is served, and each name once', async () => {
    const operations = operationsOf(await fetchDocument())
    const shape = (path: string) => path.replaceAll(/\{\w+\}|:\w+\+?/g, '*')
    const described = operations.map(({ path, method }) => `${method} ${shape(path)}`)
    const served = ENDPOINTS.map(({ path, method }) => `${method.toLowerCase()} ${shape(path)}`)
    expect(new Set(described)).toEqual(new Set([...served, 'get /dev_list_users', 'post /dev_fetch_api_key']))
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('describes the event stream beside the poll', async () => {
    const { paths } = await fetchDocument()
    const { description, responses } = paths['/events'].get
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['101', '200']))
    for (const word of ['WebSocket', 'last_event_id', 'ping']) expect(description).toContain(word)
  })

  it('leaves out inner steps without a route', async () => {
    const ids = operationsOf(await fetchDocument()).map(({ operation }) => operation.operationId)
    expect(ids).not.toContain('complete-login')
  })

  it('has no two paths of one shape', async () => {
    const paths = Object.keys((await fetchDocument()).paths)
    const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
    for (const path of paths) expect(path).toMatch(/^\/[\w/{}.-]*$/)
  })

  it('describes every parameter of every path', async () => {
    for (const { path, item, operation } of operationsOf(await fetchDocument())) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      const inPath = parameters.filter((parameter: Json) => parameter.in === 'path')
      expect(inPath.map(({ name }: Json) => name)).toEqual(names)
      expect(inPath.every(({ required }: Json) => required === true)).toBe(true)
      const keys = parameters.map(({ in: position, name }: Json) => `${position} ${name}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const parameter of parameters) {
        // Exactly one of the two is given.
        expect('schema' in parameter).toBe(!('content' in parameter))
      }
    }
  })

  it('describes every operation’s answer', async () => {
    const operations = [...operationsOf(await fetchDocument())]
    expect(operations.length).toBeGreaterThan(100)
    for (const { operation } of operations) {
      const successes = Object.keys(operation.responses).filter((status) => /^2\d\d$/.test(status))
      const isTus = operation.parameters?.some(({ name }: { name?: string }) => name === 'Tus-Resumable')
      if (isTus) expect(successes).not.toEqual([])
      else expect(operation.responses['200'].content['application/json'].schema).toBeDefined()
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Error' })
      expect(operation.tags).toHaveLength(1)
    }
  })

  it('refers only to what is there', async () => {
    const document = await fetchDocument()
    walk(document, ({ $ref }) => {
      if (typeof $ref !== 'string') return
      const target = $ref
        .slice(2)
        .split('/')
        .reduce((value: Json, key) => value?.[key], document)
      expect(target, $ref).toBeDefined()
    })
  })

  it('has schemas of JSON Schema 2020-12 only', async () => {
    const document = await fetchDocument()
    const schemas = schemasOf(document)
    expect(schemas.length).toBeGreaterThan(50)
    expect(schemas.flatMap(({ schema, way }) => problemsOfSchema(schema, way))).toEqual([])
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(problemsOfSchema(schema, name)).toEqual([])
    }
  })
})

describe('types in the document', () => {
  it('have their size limits', async () => {
    const schemas = schemasOf(await fetchDocument()).filter(({ way }) =>
      /\/(parameters|requestBody)\//.test(way),
    )
    expect(schemas.length).toBeGreaterThan(100)
    expect(schemas.flatMap(({ schema, way }) => unlimitedParts(schema, way))).toEqual([])
  })

  it('distinguish JSON inside a field from text, with defaults', async () => {
    const { paths } = await fetchDocument()
    const [fields, gravatar] = paths['/users/{user_id}'].get.parameters
    expect(fields).toEqual({
      name: 'include_custom_profile_fields',
      in: 'query',
      required: false,
      description: 'Include the values of custom profile fields.',
      content: {
        'application/json': { schema: { type: 'boolean', default: false } },
      },
    })
    expect(gravatar.content['application/json'].schema.default).toBe(true)
    const form = paths['/users'].post.requestBody
    expect(form.required).toBe(true)
    expect(form.content['application/x-www-form-urlencoded']).toEqual({
      schema: {
        type: 'object',
        properties: {
          email: { type: 'string', maxLength: 1_000 },
          password: { type: 'string', maxLength: 1_000 },
          full_name: { type: 'string', maxLength: 1_000 },
        },
        required: ['email', 'password', 'full_name'],
      },
    })
  })

  it('mark JSON fields of a form by their encoding', async () => {
    const { paths } = await fetchDocument()
    const form = paths['/users/{user_id}'].patch.requestBody.content['application/x-www-form-urlencoded']
    expect(form.schema.properties.role).toMatchObject({ type: 'integer', enum: [100, 200, 300, 400, 600] })
    const asJson = { contentType: 'application/json' }
    expect(form.encoding).toEqual({ role: asJson, profile_data: asJson })
  })

  it('address a user by id or by e-mail address at one path', async () => {
    const { paths } = await fetchDocument()
    expect(paths['/users/{user_id}'].parameters[0].schema).toEqual({
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
        { type: 'string', title: 'email', maxLength: 1_000 },
      ],
    })
    expect(paths['/users/{user_id}'].get.summary).toMatch(/Get user by email/)
  })

  it('mark file uploads', async () => {
    const { paths } = await fetchDocument()
    const { content, required } = paths['/user_uploads'].post.requestBody
    expect(required).toBe(true)
    expect(content['multipart/form-data'].schema.required).toEqual(['file'])
  })

  it('declare which snapshot keys are always present, and what fetches the others', async () => {
    const { paths } = await fetchDocument()
    const [, answer] = paths['/register'].post.responses['200'].content['application/json'].schema.allOf
    expect(answer.required).toEqual(expect.arrayContaining(['queue_id', 'last_event_id', 'svc_version']))
    expect(answer.required).not.toContain('realm_name')
    expect(answer.properties.realm_name).toEqual({ type: 'string', description: 'Fetched with `realm`.' })
    expect(answer.properties.user_settings.properties.color_scheme).toEqual({
      enum: [1, 2, 3],
      type: 'integer',
    })
  })

  it('describe the forms of every event', async () => {
    const { paths } = await fetchDocument()
    const [, answer] = paths['/events'].get.responses['200'].content['application/json'].schema.allOf
    const types: unknown[] = []
    walk(answer.properties.events, ({ properties }) => types.push(properties?.type?.const))
    expect(types).toEqual(expect.arrayContaining([...EVENT_TYPES.keys(), 'heartbeat']))
  })

  it('need no login where the endpoint needs none', async () => {
    const { paths } = await fetchDocument()
    expect(paths['/server_settings'].get.security).toEqual([])
    expect(paths['/users'].get.security).toBeUndefined()
  })
})
