import type * as v from 'valibot'
import type { Endpoint, TusForm } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { MAX_INTEGER } from '../../api/parameter-types.ts'
import { RateLimitHitError } from '../../core/errors.ts'
import { VERSION } from '../../model/server/version.ts'
import { CHUNK_TYPE } from '../../model/uploads/resumable-upload.ts'
import { headerName, TUS_VERSION } from '../files/tus.ts'
import { bodyLimitOf } from '../input/body-limit.ts'
import {
  type DescribedParameter,
  describeParameter,
  type JsonSchema,
  jsonSchemaOf,
} from '../input/openapi-parameters.ts'
import {
  IDEMPOTENCY_HEADER,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  takesIdempotencyKey,
} from '../operations/idempotency.ts'
import type { Environment } from '../request/environment.ts'
import { countedNetwork, limitsOfNetworks, RequestsOfNetworks } from '../request/requests-of-networks.ts'
import { respondError } from '../request/respond.ts'
import { jsonAnswer } from '../request/security-headers.ts'

/** Returns the OpenAPI 3.1 document of all endpoints, from their declarations. Paths are below /api/v1. */
function openApiDocument(endpoints: readonly Endpoint[]): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: VERSION,
      description:
        'Send values other than text as JSON inside the form field or the query. Parameters may be in the body or in the ' +
        'query; where one is in both, the body wins.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    paths: pathItems(endpoints),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'basic',
          description: 'The user name is the e-mail address of the account, and the password is its API key.',
        },
      },
      schemas: { Success: SUCCESS, Error: ERROR },
      responses: {
        Error: {
          description: 'The request was refused.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  }
}

const STREAM_DESCRIPTION =
  'With the headers of a WebSocket upgrade, this request opens an event stream. It sends the same events of the same queue under ' +
  'the same ids, as text frames that look like the answer of a poll without `result` and `msg`. The first frame has no events. The ' +
  'client acknowledges events with `{"last_event_id": …}`, and sends `ping` each minute. docs/event-stream.md has the rules and ' +
  'the codes with which a stream closes.'

const STREAM_OPENED = {
  description: 'The event stream is open. This is the answer to a request with the headers of an upgrade.',
}

const SUCCESS: JsonSchema = {
  type: 'object',
  properties: {
    result: { const: 'success' },
    msg: { type: 'string' },
    ignored_parameters_unsupported: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Names of parameters that were sent and that the operation does not have. Absent when there are none.',
    },
  },
  required: ['result', 'msg'],
}

const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    result: { const: 'error' },
    msg: { type: 'string', description: 'A text for people.' },
    code: { type: 'string', description: 'A code for programs. Some codes come with further fields.' },
  },
  required: ['result', 'msg', 'code'],
}

/**
 * Groups endpoints by path. OpenAPI treats templates of the same shape as one path, whatever their names: a resource addressed by id or
 * by address is one path, with either as parameter.
 */
function pathItems(endpoints: readonly Endpoint[]): Record<string, object> {
  const byShape = Map.groupBy(endpoints, ({ path }) => path.replaceAll(/:\w+\+?/g, ':'))
  return Object.fromEntries([...byShape.values()].map((same) => [templateOf(same), pathItem(same)]))
}

/** Returns the template: `/users/:user_id` becomes `/users/{user_id}`. Integers come first where a path has two names. */
function templateOf(same: readonly Endpoint[]): string {
  return mainOf(same).path.replaceAll(/:(\w+)\+?/g, '{$1}')
}

function mainOf(same: readonly Endpoint[]): Endpoint {
  return same.find(({ path }) => pathNames(path).every((name) => name.endsWith('_id'))) ?? same[0]!
}

function pathItem(same: readonly Endpoint[]): object {
  const names = pathNames(mainOf(same).path)
  const parameters = names.map((name, index) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchema(same.map(({ path }) => pathNames(path)[index]!)),
  }))
  const byMethod = Map.groupBy(same, ({ method }) => method.toLowerCase())
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...Object.fromEntries([...byMethod].map(([method, found]) => [method, operationObject(found)])),
  }
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

function pathSchema(names: readonly string[]): JsonSchema {
  const schemas = [...new Set(names)].map((name) =>
    name.endsWith('_id')
      ? { type: 'integer', minimum: 0, maximum: MAX_INTEGER }
      : { type: 'string', title: name, maxLength: NAME_LENGTH },
  )
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

function operationObject(same: readonly Endpoint[]): object {
  const endpoint = mainOf(same)
  const parameters = Object.entries(endpoint.params)
    .filter(([name]) => !pathNames(endpoint.path).includes(name))
    .map(([name, schema]) => describeParameter(name, schema))
  const content = { 'application/json': { schema: answerSchema(endpoint.returns) } }
  const { answers, ...request } = endpoint.tus
    ? describeTus(endpoint.tus, parameters, content)
    : describeForm(endpoint, parameters, content)
  return {
    operationId: endpoint.operation,
    summary: same.map(({ operation }) => sentenceOf(operation)).join('; '),
    tags: [tagOf(endpoint.path)],
    ...(endpoint.access === 'anyone' || endpoint.keyInParameter ? { security: [] } : {}),
    ...request,
    ...(takesIdempotencyKey(endpoint)
      ? { parameters: [...(request.parameters ?? []), IDEMPOTENCY_KEY] }
      : {}),
    ...(endpoint.opensStream ? { description: STREAM_DESCRIPTION } : {}),
    responses: {
      ...answers,
      ...(endpoint.opensStream ? { 101: STREAM_OPENED } : {}),
      ...(takesIdempotencyKey(endpoint) ? { 422: KEY_REUSED } : {}),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const IDEMPOTENCY_KEY = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: within a day, a request with the same key gets the first answer again, and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
}

const KEY_REUSED = {
  description: `The ${IDEMPOTENCY_HEADER} was used before with a different request (code IDEMPOTENCY_KEY_REUSED).`,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** Describes any endpoint but those of tus: parameters in the query or in a form, and status 200. */
function describeForm(endpoint: Endpoint, parameters: readonly DescribedParameter[], content: object) {
  const { method, streamsFiles, readsBody } = endpoint
  const inQuery = method === 'GET' || method === 'DELETE' || streamsFiles || readsBody
  return {
    ...(inQuery && parameters.length > 0 ? { parameters: parameters.map(queryParameter) } : {}),
    ...(!inQuery && parameters.length > 0 ? { requestBody: formBody(endpoint, parameters) } : {}),
    ...(streamsFiles ? { requestBody: FILE_BODY } : {}),
    ...(readsBody ? { requestBody: ANY_BODY } : {}),
    answers: { 200: { description: 'Success.', content } },
  }
}

/** The first file part counts, whatever its name (docs/interface/clients.md#what-clients-send). */
const FILE_BODY = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        required: ['file'],
      },
    },
  },
}

/** The payload of a service, in its own format. */
const ANY_BODY = {
  required: true,
  content: { 'application/json': { schema: {} }, 'application/x-www-form-urlencoded': { schema: {} } },
}

function queryParameter({ name, required, schema, isJson, description }: DescribedParameter): object {
  return {
    name,
    in: 'query',
    required,
    ...(description === undefined ? {} : { description }),
    ...(isJson ? { content: { 'application/json': { schema } } } : { schema }),
  }
}

function formBody(endpoint: Endpoint, parameters: readonly DescribedParameter[]): object {
  const required = parameters.filter((parameter) => parameter.required)
  const json = parameters.filter(({ isJson }) => isJson)
  return {
    description: `At most ${bodyLimitOf(endpoint)} MiB. A larger body is refused with 413.`,
    required: required.length > 0,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            parameters.map(({ name, schema, description }) => [
              name,
              description === undefined ? schema : { ...schema, description },
            ]),
          ),
          ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
        },
        ...(json.length > 0
          ? {
              encoding: Object.fromEntries(
                json.map(({ name }) => [name, { contentType: 'application/json' }]),
              ),
            }
          : {}),
      },
    },
  }
}

function answerSchema(returns: v.GenericSchema): JsonSchema {
  const success = { $ref: '#/components/schemas/Success' }
  const own = jsonSchemaOf(returns)
  return Object.keys((own.properties as object | undefined) ?? {}).length === 0
    ? success
    : { allOf: [success, own] }
}

/** Returns an operation's name as a sentence: `get-user-by-email` is "Get user by email". */
function sentenceOf(operation: string): string {
  const words = operation.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the first fixed segment of the path. */
function tagOf(path: string): string {
  return path.split('/').find((segment) => segment !== '' && !segment.startsWith(':')) ?? 'other'
}

/** No organization is involved, whose object counts other anonymous requests. */
const requests = new RequestsOfNetworks()

/** Returns the handler that serves the document of these endpoints, made on the first request. */
export function serveOpenApi(endpoints: readonly Endpoint[]) {
  let document: string | undefined
  return (request: Request, env: Environment): Response => {
    const network = countedNetwork(request, env)
    if (network !== undefined) {
      const wait = requests.count(
        network,
        limitsOfNetworks({ address: new URL(request.url) }, env),
        Date.now() / 1_000,
      )
      if (wait > 0) return respondError(new RateLimitHitError(wait))
    }
    document ??= JSON.stringify(openApiDocument(endpoints))
    return jsonAnswer(document, 200)
  }
}

const VERSION_HEADER = {
  name: 'Tus-Resumable',
  in: 'header',
  required: true,
  schema: { const: TUS_VERSION },
}

const DESCRIBED_ELSEWHERE = new Set(['content_type', 'content_length'])

/** Describes an operation of the tus protocol. `content`: the description of the response body. */
function describeTus(
  { chunk, answers, answerHeaders }: TusForm,
  parameters: readonly DescribedParameter[],
  content: object,
) {
  const headers = Object.fromEntries(answerHeaders.map((name) => [name, { schema: { type: 'string' } }]))
  const inHeaders = parameters.filter(({ name }) => !DESCRIBED_ELSEWHERE.has(name)).map(headerParameter)
  return {
    parameters: [VERSION_HEADER, ...inHeaders],
    ...(chunk ? { requestBody: chunkBody(chunk === 'required') } : {}),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, { description, hasBody }]) => [
        status,
        {
          description,
          ...(answerHeaders.length > 0 ? { headers } : {}),
          ...(hasBody ? { content } : {}),
        },
      ]),
    ),
  }
}

function headerParameter({ name, required, schema, description }: DescribedParameter): object {
  return {
    name: headerName(name),
    in: 'header',
    required,
    ...(description === undefined ? {} : { description }),
    schema,
  }
}

function chunkBody(required: boolean): object {
  return {
    required,
    content: { [CHUNK_TYPE]: { schema: { type: 'string', contentMediaType: CHUNK_TYPE } } },
  }
}
