import * as v from 'valibot'
import { defineEndpoint, type Endpoint } from '../api/define-endpoint.ts'
import { NAME_LENGTH } from '../api/input-limits.ts'
import { textUpTo } from '../api/parameter-types.ts'
import { BadRequestError } from '../core/errors.ts'
import { findUserByEmail, listUsers } from '../store/users/user-rows.ts'

/** The accounts that anyone may log in to without a password: people, owners first. */
const devListUsersEndpoint = defineEndpoint({
  operation: 'dev-list-users',
  route: 'GET /dev_list_users',
  access: 'anyone',
  rateLimit: 'none',
  returns: v.object({ direct_admins: v.array(v.unknown()), direct_users: v.array(v.unknown()) }),
  apply(tx, { source }) {
    const people = listUsers(tx.sql).filter((user) => user.isActive && user.botType === null)
    const entries = (wanted: (role: number) => boolean) =>
      people
        .filter(({ role }) => wanted(role))
        .sort((a, b) => a.role - b.role || a.id - b.id)
        .map((user) => ({ email: user.deliveryEmail, realm_url: source.origin, realm_uri: source.origin }))
    return { direct_admins: entries((role) => role <= 200), direct_users: entries((role) => role > 200) }
  },
})

/** Returns any account's key for its address alone. */
const devFetchApiKeyEndpoint = defineEndpoint({
  operation: 'dev-fetch-api-key',
  route: 'POST /dev_fetch_api_key',
  access: 'anyone',
  rateLimit: 'none',
  params: { username: textUpTo(NAME_LENGTH) },
  returns: v.object({ api_key: v.string(), email: v.string(), user_id: v.number() }),
  audit: { because: 'It is deployed nowhere.' },
  apply(tx, _request, { username }) {
    const user = findUserByEmail(tx.sql, username)
    if (!user?.isActive) throw new BadRequestError('Enter a valid email address.')
    return { api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
  },
})

/** Endpoints only of the local-development Worker: the deployed bundle does not contain them. */
export const DEV_ENDPOINTS: readonly Endpoint[] = [devListUsersEndpoint, devFetchApiKeyEndpoint]
