/** A Worker that only holds memory, and replaces it. */

interface Row {
  readonly id: number
  readonly name: string
  readonly members: readonly number[]
}

/** The newest rows of a few fields, as programs keep them. */
const kept: Row[][] = []

/** About a megabyte. */
const ROWS = 11_000

/** Allocates one more megabyte, and drops the oldest beyond the limit. */
export default {
  async fetch(request) {
    const most = Number(new URL(request.url).searchParams.get('keep'))
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      id: at,
      name: `name ${at}`,
      members: [at, at + 1, at + 2],
    }))
    kept.push(rows)
    if (kept.length > most) kept.splice(0, kept.length - most)
    return new Response()
  },
} satisfies ExportedHandler
