import type { ArrivingMemory } from '../../core/files.ts'
import { bytesUpTo, isLargerThan, readBoundedBody } from './arriving-body.ts'
import { LONG_BODY } from './body-limit.ts'
import { fieldsNamed } from './named-fields.ts'
import { fieldsOf, isForm, readQuery } from './read-form.ts'
import { fileOf, type RawParameters, refused, streamedFiles } from './read-parameters.ts'

/**
 * A request whose body has arrived. Of a long one only what is needed to find its caller is read at first: a stranger must not make the
 * isolate work (http/operations/admit-caller.ts).
 */
export interface ArrivedRequest {
  /** The form's field `method`, if any: the method that a POST stands for. */
  readonly method?: string | undefined
  readonly csrfToken?: string | undefined
  /** The parameter `api_key`, of an endpoint with its `keyInParameter`. */
  readonly apiKey?: string | undefined
  /** Bytes of the body, if it is still to be read. */
  readonly length: number
  /** Whether the organization has to accept the caller before the parameters are read. */
  readonly asksFirst: boolean
  /** Reads the parameters. To be called once, since the body is then forgotten. */
  read(): Promise<RawParameters>
}

const NO_BODY = new Uint8Array(0)
const IN_FORM = { method: 'method', csrfToken: 'csrfmiddlewaretoken' } as const
const KEY = 'api_key'

/**
 * Receives query and form, for any method. A body that is not a form is no error: it has no parameters.
 * @throws StalledBodyError (408); BrokenOffError (499); ServiceUnavailableError (503)
 */
export async function receiveForm(
  request: Request,
  url: URL,
  memory: ArrivingMemory,
  limitMib: number,
): Promise<ArrivedRequest> {
  const read = (body: Uint8Array<ArrayBuffer>) => formParameters(request, url, memory, body)
  try {
    const hasForm = request.body !== null && isForm(request)
    const body = hasForm ? await readBoundedBody(request, memory, limitMib) : NO_BODY
    if (body.length <= LONG_BODY) return asRead(await read(body))
    const found = fieldsNamed(request, body, Object.values(IN_FORM))
    return {
      method: found.get(IN_FORM.method),
      csrfToken: found.get(IN_FORM.csrfToken),
      length: body.length,
      asksFirst: true,
      read: once(body, (bytes) => orRefused(() => read(bytes))),
    }
  } catch (error) {
    return asRead(refused(error))
  }
}

/**
 * Receives query and body, whatever its type, for an endpoint that `readsBody`. A body whose stated length exceeds its limit, up to that of
 * large bodies, is not received yet: then only the query has parameters.
 */
export async function receiveBody(
  request: Request,
  url: URL,
  memory: ArrivingMemory,
  limitMib: number,
  largeLimitMib = limitMib,
): Promise<ArrivedRequest> {
  const facts = {
    address: url.href,
    isForm: isForm(request),
    header: (name: string) => request.headers.get(name) ?? '',
  }
  try {
    const inQuery = new Map(readQuery(url))
    if (largeLimitMib > limitMib && isLargerThan(limitMib, request)) {
      const bytes = bytesUpTo(largeLimitMib, request)
      return asRead({ values: inQuery, files: [], largeBody: { ...facts, bytes, fields: inQuery } })
    }
    const body = await readBoundedBody(request, memory, limitMib)
    const found = facts.isForm ? fieldsNamed(request, body, [KEY]) : inQuery
    return {
      apiKey: found.get(KEY) ?? inQuery.get(KEY),
      length: body.length,
      // What foreign services post is read by code that costs more than a form.
      asksFirst: true,
      read: once(body, (bytes) =>
        orRefused(async () => {
          const entries = facts.isForm ? await fieldsOf(request, bytes) : []
          const fields = new Map([...inQuery, ...entries.filter(isText)])
          return { values: fields, files: [], body: { ...facts, body: bytes, fields } }
        }),
      ),
    }
  } catch (error) {
    return asRead(refused(error))
  }
}

/** Receives the parameters of the query alone; the files in the body are read later, one after the other. */
export function receiveStreamed(request: Request, url: URL): ArrivedRequest {
  try {
    return asRead(streamedFiles(request, new Map(readQuery(url))))
  } catch (error) {
    return asRead(refused(error))
  }
}

/** Returns a request whose parameters are known already. */
export function asRead(raw: RawParameters): ArrivedRequest {
  const { method, csrfToken } = raw
  const apiKey = raw.values.get(KEY)
  return { method, csrfToken, apiKey, length: 0, asksFirst: false, read: async () => raw }
}

async function formParameters(
  request: Request,
  url: URL,
  memory: ArrivingMemory,
  body: Uint8Array<ArrayBuffer>,
): Promise<RawParameters> {
  const entries = body.length > 0 ? await fieldsOf(request, body) : []
  const fields = new Map(entries.filter(isText))
  const files = entries.flatMap(([, value]) => (typeof value === 'string' ? [] : [fileOf(value)]))
  const values = new Map([...readQuery(url), ...fields])
  const raw = {
    values,
    files,
    method: fields.get(IN_FORM.method),
    csrfToken: fields.get(IN_FORM.csrfToken),
  }
  if (files.length > 0) return raw
  const letGo = () => {
    values.clear()
    memory.release()
  }
  return { ...raw, letGo }
}

function isText(entry: readonly [string, string | File]): entry is readonly [string, string] {
  return typeof entry[1] === 'string'
}

/** Returns a function that reads the body and forgets it: only one copy of it is held meanwhile. */
function once(
  body: Uint8Array<ArrayBuffer>,
  read: (body: Uint8Array<ArrayBuffer>) => Promise<RawParameters>,
): () => Promise<RawParameters> {
  let held = body
  return () => {
    const bytes = held
    held = NO_BODY
    return read(bytes)
  }
}

async function orRefused(read: () => Promise<RawParameters>): Promise<RawParameters> {
  try {
    return await read()
  } catch (error) {
    return refused(error)
  }
}
