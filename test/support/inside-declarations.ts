/**
 * What the server declares about itself, for tests that go through all operations: their parameters and answers, and the routes. They
 * get it here, so that a test does not depend on where the server keeps it.
 */
import type { Endpoint } from '../../src/api/define-endpoint.ts'
import { ENDPOINTS } from '../../src/features/index.ts'

export type { Endpoint } from '../../src/api/define-endpoint.ts'
export { DEV_ENDPOINTS } from '../../src/dev/endpoints.ts'
export { REGISTER_KEYS } from '../../src/features/events/register-answer.ts'
export { ENDPOINTS } from '../../src/features/index.ts'
export { user as userSchema } from '../../src/features/users/get-users.ts'
export { readParameters } from '../../src/http/input/read-parameters.ts'
export { describeParameter } from '../../src/http/openapi/openapi-parameters.ts'
export { REGISTRATION } from '../../src/http/pages/page-parameters.ts'
export { RouteMap } from '../../src/http/routes.ts'
export {
  PRESETTABLE_USER_SETTING_NAMES,
  USER_SETTINGS,
} from '../../src/store/users/settings/user-settings.ts'

/** Returns the declaration of an operation. */
export function endpointOf(operation: string): Endpoint {
  const endpoint = ENDPOINTS.find((one) => one.operation === operation)
  if (!endpoint) throw new Error(`No operation ${operation}`)
  return endpoint
}
