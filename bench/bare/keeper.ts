/** What is kept: rows of a few fields, as programs keep them. */
const kept: Row[][] = []

interface Row {
  readonly id: number
  readonly name: string
  readonly members: readonly number[]
}

/** About a megabyte. */
const ROWS = 11_000

function rows(first: number): Row[] {
  return Array.from({ length: ROWS }, (_, at) => ({
    id: first + at,
    name: `name ${first + at}`,
    members: [at, at + 1, at + 2],
  }))
}

/** Keeps as many megabytes of rows as it is asked to, and otherwise makes one that is garbage as soon as there is an answer. */
export default {
  async fetch(request) {
    const more = Number(new URL(request.url).searchParams.get('keep') ?? 0)
    for (let made = 0; made < more; made += 1) kept.push(rows(kept.length * ROWS))
    return new Response(JSON.stringify(rows(0)))
  },
} satisfies ExportedHandler
