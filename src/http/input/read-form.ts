import { Buffer } from 'node:buffer'
import { BadRequestError } from '../../core/errors.ts'
import type { ArrivingMemory } from '../../core/files.ts'
import { readBoundedBody } from './arriving-body.ts'
import { boundaryOf } from './multipart.ts'

/**
 * Number of parameters of a form or a query, each counted as often as it occurs. No endpoint takes a tenth of
 * it.
 */
const MAX_PARAMETERS = 1_000
/** Length of a name, in characters, since unknown names are listed in the answer. */
const MAX_NAME_LENGTH = 200

const UTF_8 = new TextDecoder()
const URLENCODED = /^application\/x-www-form-urlencoded/i

export type FormEntry = readonly [name: string, value: string | File]

/**
 * Reads the fields of a form, in order. A body that is no form has none, nor has a form that does not parse
 * (no boundary, cut off). Fields are counted before any of them is read. `memory` holds what has arrived.
 * `limitMib`: limit of the body.
 * @throws as `readBoundedBody`; BadRequestError for too many fields, or a
 * name that is too long
 */
export async function readForm(
  request: Request,
  memory: ArrivingMemory,
  limitMib?: number,
): Promise<FormEntry[]> {
  if (request.body === null || !isForm(request)) return []
  return fieldsOf(request, await readBoundedBody(request, memory, limitMib))
}

/** Whether the body says that it is a form. */
export function isForm({ headers }: Request): boolean {
  const contentType = headers.get('content-type') ?? ''
  return URLENCODED.test(contentType) || boundaryOf(contentType) !== undefined
}

/** Reads the fields of a form of which the bytes are known, as `readForm` does. */
export async function fieldsOf({ headers }: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormEntry[]> {
  const contentType = headers.get('content-type') ?? ''
  if (URLENCODED.test(contentType)) {
    const text = UTF_8.decode(bytes)
    requireFewParameters(text)
    return checkedNames(entriesOf(new URLSearchParams(text)))
  }
  const boundary = boundaryOf(contentType)!
  requireFew(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), `--${boundary}`)
  const form = new Response(bytes, { headers: { 'Content-Type': contentType } })
  try {
    return checkedNames([...(await form.formData()).entries()])
  } catch (error) {
    if (error instanceof BadRequestError) throw error
    return []
  }
}

/**
 * Reads the parameters of a query, in order.
 * @throws BadRequestError as `readForm`
 */
export function readQuery(url: URL): [string, string][] {
  const { search } = url
  if (search === '') return []
  requireFewParameters(search)
  return checkedNames(entriesOf(url.searchParams))
}

/** Returns the entries: a third faster than the platform's iterator. */
function entriesOf(params: URLSearchParams): [string, string][] {
  const entries: [string, string][] = []
  params.forEach((value, name) => {
    entries.push([name, value])
  })
  return entries
}

function requireFewParameters(text: string): void {
  requireFew(text, '&')
}

function requireFew(text: string | Buffer, delimiter: string): void {
  let count = 0
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    count += 1
    if (count > MAX_PARAMETERS) {
      throw new BadRequestError(`Too many parameters (limit: ${MAX_PARAMETERS})`)
    }
  }
}

function checkedNames<Entry extends FormEntry>(entries: Entry[]): Entry[] {
  if (entries.some(([name]) => name.length > MAX_NAME_LENGTH)) {
    throw new BadRequestError(`The name of a parameter is too long (limit: ${MAX_NAME_LENGTH} characters)`)
  }
  return entries
}
