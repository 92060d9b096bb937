import { Buffer } from 'node:buffer'
import { BadRequestError } from '../../core/errors.ts'
import { fairScheduler } from '../../core/fair-scheduler.ts'
import { type ArrivingMemory, BrokenFormError, type IncomingFile, MIB } from '../../core/files.ts'
import { arrivingBytes, readBoundedBody } from './arriving-body.ts'

/** Limit of the parameters of a form or query, repetitions included. No endpoint takes a tenth of it. */
export const MAX_PARAMETERS = 1_000
/** Limit of a name, in characters, since unknown names are listed in the answer. */
const MAX_NAME_LENGTH = 200

const UTF_8 = new TextDecoder()
/** A plugin of a build server leaves out the beginning. */
const URLENCODED = /^(?:application\/x-)?www-form-urlencoded/i

export type FormEntry = readonly [name: string, value: string | File]

/**
 * Reads the fields of a form, in order. A body that is not a form, or does not parse (no boundary, truncated), has none. Fields are
 * counted before any is read. `memory` holds what has arrived. `limitMib`: limit of the body.
 * @throws as `readBoundedBody`; BadRequestError for too many fields, or too long a name
 */
export async function readForm(
  request: Request,
  memory: ArrivingMemory,
  limitMib?: number,
): Promise<FormEntry[]> {
  if (request.body === null || !isForm(request)) return []
  return fieldsOf(request, await readBoundedBody(request, memory, limitMib))
}

/** Whether the content type is that of a form. */
export function isForm({ headers }: Request): boolean {
  const contentType = headers.get('content-type') ?? ''
  return URLENCODED.test(contentType) || boundaryOf(contentType) !== undefined
}

/** Reads the fields of a form from its bytes, as `readForm` does. */
export async function fieldsOf({ headers }: Request, bytes: Uint8Array<ArrayBuffer>): Promise<FormEntry[]> {
  const contentType = headers.get('content-type') ?? ''
  if (URLENCODED.test(contentType)) {
    const text = UTF_8.decode(bytes)
    requireFewParameters(text)
    return checkedNames([...new URLSearchParams(text)])
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

/** Reads the parameters of a query, in order. @throws BadRequestError as `readForm` */
export function readQuery(url: URL): [string, string][] {
  const { search } = url
  if (search === '') return []
  requireFewParameters(search)
  return checkedNames([...url.searchParams])
}

function requireFewParameters(text: string): void {
  requireFew(text, '&')
}

function requireFew(text: string | Buffer, delimiter: string): void {
  let count = 0
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    count += 1
    if (count > MAX_PARAMETERS) throw tooManyParameters()
  }
}

function tooManyParameters(): BadRequestError {
  return new BadRequestError(`Too many parameters (limit: ${MAX_PARAMETERS})`)
}

function checkedNames<Entry extends FormEntry>(entries: Entry[]): Entry[] {
  if (entries.some(([name]) => name.length > MAX_NAME_LENGTH)) {
    throw new BadRequestError(`The name of a parameter is too long (limit: ${MAX_NAME_LENGTH} characters)`)
  }
  return entries
}

/** Limit of a part's head in bytes; browsers and libraries write shorter ones. */
const MAX_HEAD = 16 * 1024
const LINE_END = '\r\n'
/** Bytes after which other requests get a turn. */
const BYTES_IN_A_SLICE = MIB

/**
 * Yields the files of a `multipart/form-data` body, in order, each read from the network on demand: a file may exceed the memory of a
 * Worker. Asking for the next file skips the unread rest of the current one, and parts that are not files, whose names are added to
 * `fieldNames`. Yields nothing for any other body.
 * @throws BrokenFormError while iterating; BadRequestError as `readForm`; StalledBodyError (408); BrokenOffError (499)
 */
export async function* filesOf(
  request: Request,
  fieldNames = new Set<string>(),
): AsyncGenerator<IncomingFile> {
  const boundary = boundaryOf(request.headers.get('content-type') ?? '')
  if (boundary === undefined || request.body === null) return
  const reader = new PartReader(arrivingBytes(request.body), boundary)
  while (await reader.toNextPart()) {
    const head = await reader.readHead()
    const disposition = head['content-disposition'] ?? ''
    const name = fileNameOf(disposition)
    if (name === undefined) {
      addFieldName(fieldNames, disposition)
      continue
    }
    yield { name, contentType: head['content-type'] ?? '', content: reader.content() }
  }
}

function addFieldName(fieldNames: Set<string>, disposition: string): void {
  const match = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/i.exec(disposition)
  if (match === null) return
  const name = unescaped(match[1], match[2]!)
  checkedNames<FormEntry>([[name, '']])
  fieldNames.add(name)
  if (fieldNames.size > MAX_PARAMETERS) throw tooManyParameters()
}

/** Returns the boundary of a multipart form; undefined for any other type, or without one. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType)
  return match?.[1] ?? match?.[2]
}

/** Reads a body part by part, holding only the bytes read ahead. */
class PartReader {
  readonly #source: AsyncGenerator<Uint8Array>
  readonly #delimiter: Buffer
  /** The first delimiter of a body has no preceding line end; this adds one. */
  #held: Buffer = Buffer.from(LINE_END)
  /** Whether the position is within a part's content, rather than after a delimiter. */
  #inPart = true
  #ended = false
  #readInTurn = 0

  constructor(source: AsyncGenerator<Uint8Array>, boundary: string) {
    this.#source = source
    this.#delimiter = Buffer.from(`${LINE_END}--${boundary}`)
  }

  /** Advances to the head of the next part; false if there is none. */
  async toNextPart(): Promise<boolean> {
    for await (const _ of this.content()) {
      // skipped
    }
    if (this.#ended) return false
    await this.#hold(2)
    if (this.#held.subarray(0, 2).toString() === '--') {
      this.#ended = true
      return false
    }
    const lineEnd = await this.#find(LINE_END, MAX_HEAD)
    // The line end is kept: a part without a head starts with a second one.
    this.#held = this.#held.subarray(lineEnd)
    return true
  }

  /** Reads the headers, with names in lower case. */
  async readHead(): Promise<Record<string, string>> {
    const end = await this.#find(`${LINE_END}${LINE_END}`, MAX_HEAD)
    const lines = this.#held.subarray(0, end).toString('utf8').split(LINE_END)
    this.#held = this.#held.subarray(end + 4)
    this.#inPart = true
    return Object.fromEntries(
      lines
        .filter((line) => line.includes(':'))
        .map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
        }),
    )
  }

  /** Yields the rest of the part's content. */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#inPart) {
      const end = this.#held.indexOf(this.#delimiter)
      // The end may be the start of a delimiter.
      const safe = end >= 0 ? end : Math.max(this.#held.length - this.#delimiter.length + 1, 0)
      const chunk = this.#held.subarray(0, safe)
      this.#held = this.#held.subarray(end >= 0 ? end + this.#delimiter.length : safe)
      if (end >= 0) this.#inPart = false
      if (chunk.length > 0) yield chunk
      if (end < 0) await this.#more()
    }
  }

  async #find(text: string, limit: number): Promise<number> {
    for (;;) {
      const at = this.#held.indexOf(text)
      if (at >= 0) return at
      if (this.#held.length > limit) throw new BrokenFormError('The head of a part does not end')
      await this.#more()
    }
  }

  async #hold(length: number): Promise<void> {
    while (this.#held.length < length) await this.#more()
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new BrokenFormError('The form ends too early')
    this.#readInTurn += value.length
    if (this.#readInTurn > BYTES_IN_A_SLICE) {
      this.#readInTurn = 0
      await fairScheduler.nextSlice()
    }
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value])
  }
}

/** Returns the file name of a part; undefined if it is not a file. The form with `*` states its encoding. */
function fileNameOf(disposition: string): string | undefined {
  const extended = /;\s*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // The plain form is used.
    }
  }
  const match = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i.exec(disposition)
  return match === null ? undefined : unescaped(match[1], match[2]!)
}

/** Returns a value of a part's head. Browsers escape quotation marks and line ends by percent-encoding, libraries with a backslash. */
function unescaped(quoted: string | undefined, bare: string): string {
  return (quoted?.replace(/\\(["\\])/g, '$1') ?? bare).replace(/%(22|0D|0A)/gi, (code) =>
    decodeURIComponent(code),
  )
}
