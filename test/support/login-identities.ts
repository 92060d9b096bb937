import { buildUser, expectSuccess, type TestRealm, type TestUser, type UserOptions } from './factories.ts'
import { changeRealm } from './inside.ts'
import { insertLoginIdentity } from './inside-rows.ts'

/** Makes a log-in provider, on unless `changes` say otherwise, and returns its id. */
export async function addLoginProvider(
  { owner }: TestRealm,
  slug: string,
  changes: object = {},
): Promise<number> {
  const provider = { slug, display_name: slug, issuer: 'https://login.example.com', client_id: 'parley' }
  return expectSuccess(await owner.api.post('/login_providers', { ...provider, ...changes })).id
}

/** Makes a provider know an account, as after a log-in with it, and returns the identity's id. `madeAt`: UNIX seconds. */
export function connectTo(
  realm: TestRealm,
  providerId: number,
  { id: userId }: TestUser,
  madeAt = 7,
): Promise<number> {
  return changeRealm(realm, ({ sql }) =>
    insertLoginIdentity(sql, { providerId, subject: `subject of ${userId}`, userId, madeAt }),
  )
}

/** Makes an account that nobody has used yet, as an import or an identity provider does. */
export async function buildUnused(realm: TestRealm, options: UserOptions = {}): Promise<TestUser> {
  const user = await buildUser(realm, options)
  await changeRealm(realm, ({ sql }) => sql.run(`UPDATE user SET awaits_login = 1 WHERE id = ?`, user.id))
  return user
}
