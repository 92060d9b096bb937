/**
 * The request for the snapshot that is made before the page's script has loaded (early.ts). Both load in parallel, which on a slow line saves
 * the time of one.
 */
let asked: Promise<unknown> | undefined
let session: string | undefined

/** `token`: of the session whose snapshot it is. */
export function askEarly(snapshot: Promise<unknown>, token: string): void {
  asked = snapshot
  session = token
  // The caller that takes the request handles its failure.
  snapshot.catch(() => {})
}

/** Returns the answer to the early request, once: another registration needs another answer. */
export function takeEarly(): Promise<unknown> | undefined {
  const early = asked
  asked = undefined
  return early
}

/** Returns the token of the session for which the early request was made; undefined without one. */
export function sessionOfEarly(): string | undefined {
  return session
}
