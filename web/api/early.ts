/**
 * The request for the snapshot that is made before the page's script has loaded (early.ts). Both load in parallel, which on a slow line saves
 * the time of one.
 */
let asked: Promise<unknown> | undefined

export function askEarly(snapshot: Promise<unknown>): void {
  asked = snapshot
  // The caller that takes the request handles its failure.
  snapshot.catch(() => {})
}

/** Returns the answer to the early request, once: another registration needs another answer. */
export function takeEarly(): Promise<unknown> | undefined {
  const early = asked
  asked = undefined
  return early
}
