/**
 * Fills an organization with made-up people, channels and messages, much faster than requests could: for
 * benches, for tests and for looking at large organizations. Only the Worker for local development has the
 * endpoint (`POST /dev/seed`). The same size gives the same organization, except for keys and for the time at
 * which its ninety days end.
 */
import { request } from 'node:http'
import type { SeedCursor } from '../src/dev/seed/seed-organization.ts'
import type { SeedSize } from '../src/dev/seed/seed-plan.ts'
import { readAnswer } from './organizations.ts'

export type { SeedSize }

export interface SeededOrganization {
  /** The first ids of people, channels and messages, which ascend from there. The owner is not among the people. */
  readonly firstUserId: number
  /** 0 without channels. Everybody is in the first; half of its messages are in "the long topic". */
  readonly firstChannelId: number
  readonly firstMessageId: number
}

/** The address of a seeded person, numbered from 0. */
export function seededEmail(person: number): string {
  return `person-${person}@example.com`
}

/**
 * @param post sends a body as JSON to the organization's `/dev/seed` and returns the JSON of the answer.
 * @param ownerId the founder of the organization; nobody else may have an account yet.
 * @param note is called after each slice.
 * @throws {Error} when a slice is refused. The organization is then incomplete and cannot be seeded again.
 */
export async function seedOrganization(
  post: (body: object) => Promise<unknown>,
  ownerId: number,
  size: SeedSize,
  note: (at: Pick<SeedCursor, 'stage' | 'done'>) => void = () => {},
): Promise<SeededOrganization> {
  const now = Math.floor(Date.now() / 1_000)
  let at: SeedCursor = {
    stage: 'begin',
    done: 0,
    ownerId,
    firstUserId: 0,
    firstChannelId: 0,
    firstMessageId: 0,
  }
  for (;;) {
    const { result, next } = (await post({ size, now, at })) as { result: string; next: SeedCursor | null }
    if (result !== 'success') throw new Error(`Seeding stopped at ${at.stage} ${at.done}`)
    if (next === null) return at
    at = next
    note(at)
  }
}

/**
 * Posts JSON to a host of a local server, over a connection of its own: the local runtime closes idle connections, and a slice that may have
 * been stored cannot be sent again. Not every machine knows names under `localhost`, and `fetch` chooses the
 * header Host by itself.
 */
export function postTo(url: string, host: string): (body: object) => Promise<unknown> {
  const headers = { host, 'content-type': 'application/json' }
  return (body) =>
    new Promise((resolve, reject) => {
      const asked = request(url, { method: 'POST', headers, agent: false }, async (response) => {
        let text = ''
        for await (const chunk of response.setEncoding('utf8')) text += chunk
        resolve(readAnswer(new Response(text, { status: response.statusCode ?? 500 })))
      })
      asked.on('error', reject)
      asked.end(JSON.stringify(body))
    })
}
