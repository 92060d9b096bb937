/**
 * The request for the snapshot that is made before the page's own script has come (early.ts): both are on their way at the same time, and on a
 * slow line the page is there sooner by as long as one of them takes.
 */
let asked: Promise<unknown> | undefined

export function askEarly(snapshot: Promise<unknown>): void {
  asked = snapshot
  // Whoever takes it is told of its failure.
  snapshot.catch(() => {})
}

/** Returns the answer that was asked for early, once: another registration needs another one. */
export function takeEarly(): Promise<unknown> | undefined {
  const early = asked
  asked = undefined
  return early
}
