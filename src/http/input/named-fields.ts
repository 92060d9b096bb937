import { Buffer } from 'node:buffer'
import { boundaryOf, MAX_PARAMETERS } from './read-form.ts'

/**
 * Bytes of a field's name, or of a part's head, that are looked at: those of the named fields, in any encoding. A value is at most as long
 * as the longest key.
 */
const LOOKED_AT = { name: 100, head: 1_000, value: 1_000 } as const

const [AMPERSAND, EQUALS] = [0x26, 0x3d]
const HEAD_END = '\r\n\r\n'
const UTF_8 = new TextDecoder()

/** Returns the last field of each of these names, passing over all other content of a form: however long that is, few bytes of it are read. */
export function fieldsNamed(
  { headers }: Request,
  bytes: Uint8Array,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const boundary = boundaryOf(headers.get('content-type') ?? '')
  const found = boundary === undefined ? inUrlEncoded(form, names) : inParts(form, names, `--${boundary}`)
  return new Map([...found].map(([name, value]) => [name, value()]))
}

type Found = Map<string, () => string>

function inUrlEncoded(form: Buffer, names: readonly string[]): Found {
  const found: Found = new Map()
  for (let [from, count] = [0, 0]; from <= form.length && count < MAX_PARAMETERS; count += 1) {
    const next = form.indexOf(AMPERSAND, from)
    const end = next < 0 ? form.length : next
    const field = form.subarray(from, end)
    const length = field.subarray(0, LOOKED_AT.name).indexOf(EQUALS)
    const name = length < 0 ? '' : decoded(field.subarray(0, length + 1))[0]
    if (names.includes(name)) {
      found.set(name, () => decoded(field.subarray(0, length + 1 + LOOKED_AT.value))[1])
    }
    from = end + 1
  }
  return found
}

function decoded(field: Uint8Array): readonly [name: string, value: string] {
  const [entry] = new URLSearchParams(UTF_8.decode(field))
  return entry ?? ['', '']
}

function inParts(form: Buffer, names: readonly string[], delimiter: string): Found {
  const found: Found = new Map()
  let at = form.indexOf(delimiter)
  for (let count = 0; at >= 0 && count < MAX_PARAMETERS; count += 1) {
    const from = at + delimiter.length
    at = form.indexOf(`\r\n${delimiter}`, from)
    const part = form.subarray(from, at < 0 ? form.length : at)
    at = at < 0 ? -1 : at + 2
    const head = part.subarray(0, LOOKED_AT.head)
    const length = head.indexOf(HEAD_END)
    const name = length < 0 ? undefined : nameIn(head.subarray(0, length).toString('latin1'))
    if (name === undefined || !names.includes(name)) continue
    const begin = length + HEAD_END.length
    found.set(name, () => UTF_8.decode(part.subarray(begin, begin + LOOKED_AT.value)))
  }
  return found
}

/** Returns the name of a part that is no file. */
function nameIn(head: string): string | undefined {
  if (/;\s*filename\*?=/i.test(head)) return undefined
  const match = /;\s*name=(?:"([^"]*)"|([^\s;]+))/i.exec(head)
  return match?.[1] ?? match?.[2]
}
