import { ApiError } from '../../../core/errors.ts'
import { type SecretSealer, sealerOf } from '../../../core/sealed-secret.ts'
import { askRealm } from '../../ask-realm.ts'
import type { Environment } from '../../environment.ts'
import { findRealm } from '../../find-realm.ts'

/**
 * Asks the organization at the host of a page. `counted`: whether the limit of requests has counted it already.
 * @throws ApiError when it refuses
 */
export async function askOrRefuse<Answer>(
  request: Request,
  env: Environment,
  operation: string,
  value: object,
  counted = false,
): Promise<Answer> {
  const asked = await askRealm(request, env, operation, value, { counted })
  if (!asked.ok) throw ApiError.fromWire(asked.error)
  return asked.value as Answer
}

/** Returns the sealing of the organization at the host of a page. */
export async function secretsAt(request: Request, env: Environment): Promise<SecretSealer> {
  const realm = await findRealm(env.DB, new URL(request.url))
  return sealerOf(env, realm?.id ?? 0)
}
