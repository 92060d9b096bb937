/** The body of a request that is not, or not only, a form of parameters, as it came. */
export interface ArrivedBody {
  readonly body: Uint8Array
  /** Parameters of the address, and the fields of the body if it is a form. */
  readonly fields: ReadonlyMap<string, string>
  readonly isForm: boolean
  /** Returns a header; '' without one. */
  header(name: string): string
}

/** A body that is too large to be held. Its fields are those of the address alone. */
export interface LargeBody extends Omit<ArrivedBody, 'body'> {
  /**
   * The bytes as they arrive, once.
   * @throws BodyTooLargeError (413); StalledBodyError (408); BrokenOffError (499)
   */
  readonly bytes: AsyncIterable<Uint8Array>
}
