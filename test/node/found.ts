import type { LocalServer } from '../../scripts/local-server.ts'
import { type CreatedOrganization, createOrganization } from '../../scripts/organizations.ts'

export const PASSWORD = 'correct horse'

/** Creates an organization on a local server, as `npm run create-organization` does. */
export async function found(server: LocalServer, host = 'localhost'): Promise<CreatedOrganization> {
  const database = await server.runtime.getD1Database('DB')
  const owner = { email: 'ann@example.com', full_name: 'Ann', password: PASSWORD }
  return createOrganization(server.url, (sql) => database.prepare(sql).run(), { name: host, host, owner })
}
