/** The body of a request that is not, or not only, a form of parameters, as it came. */
export interface ArrivedBody {
  readonly body: Uint8Array
  /** Parameters of the address, and the fields of the body if it is a form. */
  readonly fields: ReadonlyMap<string, string>
  readonly isForm: boolean
  /** Returns a header; '' without one. */
  header(name: string): string
}
