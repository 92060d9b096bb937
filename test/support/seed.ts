import {
  type SeededOrganization,
  type SeedSize,
  seededEmail,
  seedOrganization,
} from '../../scripts/seed-organization.ts'
import { ApiClient, askWorker } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { withReliableD1 } from './reliable-d1.ts'

/** Seeds an organization as `npm run seed` does: thousands of messages in less than a second. It must have no account but the owner's. */
export function seedRealm(realm: TestRealm, size: SeedSize): Promise<SeededOrganization> {
  const post = async (body: object) => {
    const response = await askWorker(
      new Request(`http://${realm.host}/dev/seed`, { method: 'POST', body: JSON.stringify(body) }),
    )
    return response.json()
  }
  return withReliableD1(() => seedOrganization(post, realm.owner.id, size))
}

/** Returns one of the users of a seeded organization, numbered from 0. */
export async function seededUser(realm: TestRealm, number: number): Promise<TestUser> {
  const email = seededEmail(number)
  const { user_id, api_key } = expectSuccess(
    await realm.anonymous.post('/dev_fetch_api_key', { username: email }),
  )
  const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey: api_key })
  const { full_name } = expectSuccess(await api.get('/users/me'))
  return { id: user_id, email, fullName: full_name, apiKey: api_key, api }
}
