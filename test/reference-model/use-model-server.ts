import { afterAll, beforeAll } from 'vitest'
import type { LocalServer } from '../../scripts/local-server.ts'
import { type LocalOrganization, openOrganization, startModelServer } from './local-organization.ts'
import { WITHOUT_POLICIES } from './model-run.ts'
import { succeed } from './person.ts'

/** Enough to be fast: in a directory that grows with every sequence, each would take longer than the one before. */
const SEQUENCES_IN_ONE_ORGANIZATION = 10

/**
 * Starts a server for the tests of a file. Returns a function that gives the organization for the next random sequence, in which
 * no topic is followed automatically.
 */
export function useModelServer(): () => Promise<LocalOrganization> {
  let server: LocalServer | undefined
  beforeAll(async () => {
    server = await startModelServer()
  }, 60_000)
  afterAll(() => server?.stop())

  let organization: LocalOrganization
  let begun = 0
  return async () => {
    if (begun % SEQUENCES_IN_ONE_ORGANIZATION === 0) {
      organization = await openOrganization(server!)
      await succeed(organization.owner, 'PATCH', '/realm/user_settings_defaults', WITHOUT_POLICIES)
      await succeed(organization.owner, 'PATCH', '/settings', WITHOUT_POLICIES)
    }
    begun += 1
    return organization
  }
}
