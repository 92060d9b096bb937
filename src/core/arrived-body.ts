/** The raw body of a request that is not only a form of parameters. */
export interface ArrivedBody {
  readonly body: Uint8Array
  /** Query parameters, and the fields of the body if it is a form. */
  readonly fields: ReadonlyMap<string, string>
  readonly isForm: boolean
  /** The address of the request, with its query: services sign it too. */
  readonly address: string
  /** Returns a header; '' if it is absent. */
  header(name: string): string
}

/** A body that is too large to hold in memory. Its fields are the query parameters alone. */
export interface LargeBody extends Omit<ArrivedBody, 'body'> {
  /** The bytes as they arrive. They can be read once. @throws BodyTooLargeError (413); StalledBodyError (408); BrokenOffError (499) */
  readonly bytes: AsyncIterable<Uint8Array>
}

const code = (char: string) => char.charCodeAt(0)
const [AMPERSAND, EQUALS, PLUS, PERCENT, SPACE] = [code('&'), code('='), code('+'), code('%'), code(' ')]
/** Bytes of a field's name that are compared. */
const NAME_LENGTH = 200

/** Decodes one field of a URL-encoded form that arrives in parts, without buffering it. */
export class FormField {
  readonly #name: string
  #read = ''
  #isInName = true
  /** The hexadecimal digits read so far of a percent escape. */
  #digits: string | undefined

  /** @param name the field's name, which needs no escapes. */
  constructor(name: string) {
    this.#name = name
  }

  /** Returns the decoded bytes of the field's value in this part. */
  add(bytes: Uint8Array): Uint8Array {
    const value = new Uint8Array(bytes.length)
    let length = 0
    for (const byte of bytes) {
      const decoded = this.#decoded(byte)
      if (decoded === undefined) continue
      value[length] = decoded
      length += 1
    }
    return value.subarray(0, length)
  }

  #decoded(byte: number): number | undefined {
    if (byte === AMPERSAND) {
      this.#read = ''
      this.#isInName = true
    } else if (this.#isInName) {
      if (byte === EQUALS) this.#isInName = false
      else if (this.#read.length < NAME_LENGTH) this.#read += String.fromCharCode(byte)
    } else if (this.#read === this.#name) {
      return this.#unescaped(byte)
    }
    return undefined
  }

  #unescaped(byte: number): number | undefined {
    if (this.#digits === undefined) {
      if (byte === PLUS) return SPACE
      if (byte !== PERCENT) return byte
      this.#digits = ''
      return undefined
    }
    this.#digits += String.fromCharCode(byte)
    if (this.#digits.length < 2) return undefined
    const decoded = Number.parseInt(this.#digits, 16)
    this.#digits = undefined
    return decoded
  }
}
