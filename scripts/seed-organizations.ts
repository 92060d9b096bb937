/** Makes many organizations, through `POST /dev/organizations` of the Worker for local development. */
import type { SeededOwner } from '../src/dev/seed/create-organizations.ts'

export type { SeededOwner }

/** The number of organizations in one request. */
const AT_ONCE = 25

/** Returns the host of organization `number`, counted from 1: `team-7.example.org` where `host` is `team.example.org`. */
export function hostOf(host: string, number: number): string {
  const [first, ...rest] = host.split('.')
  return [`${first}-${number}`, ...rest].join('.')
}

/**
 * @param post sends a body as JSON to the server's `/dev/organizations` and returns the JSON of the answer.
 * @param note is called after each request with the number of organizations so far.
 * @returns the owners; owners of organizations that existed before have no `account`.
 */
export async function seedOrganizations(
  post: (body: object) => Promise<unknown>,
  count: number,
  host: string,
  owner: { readonly email: string; readonly full_name: string; readonly password: string },
  note: (done: number) => void = () => {},
): Promise<SeededOwner[]> {
  const owners: SeededOwner[] = []
  while (owners.length < count) {
    const organizations = Array.from({ length: Math.min(AT_ONCE, count - owners.length) }, (_, at) => {
      const number = owners.length + at + 1
      return { name: `Seeded ${number}`, host: hostOf(host, number) }
    })
    const answer = (await post({ organizations, owner })) as { organizations: SeededOwner[] }
    owners.push(...answer.organizations)
    note(owners.length)
  }
  return owners
}
