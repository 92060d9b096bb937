/**
 * What tests have asked the Worker for, so that the whole run can say which operations nobody has tried
 * (compatibility/operations-reporter.ts).
 */

/** `GET /api/v1/users/12`, and whether it was answered with what was wanted at least once. */
export type AskedPlaces = Readonly<Record<string, boolean>>

/** Beside a test's result. */
export interface MetaWithAsked {
  asked?: AskedPlaces
}

let asked: Record<string, boolean> = {}

export function noteAsked({ method, url }: Request, status: number): void {
  const place = `${method} ${new URL(url).pathname}`
  asked[place] = asked[place] === true || status < 400
}

/** Since the last time. */
export function takeAsked(): AskedPlaces {
  const taken = asked
  asked = {}
  return taken
}
