/**
 * Exports the server's declarations for tests of all operations: parameters, answers and routes. Tests import them from here, so they do not
 * depend on the files of the server.
 */
import type { Endpoint } from '../../src/api/define-endpoint.ts'
import { ENDPOINTS } from '../../src/features/index.ts'

export type { Endpoint } from '../../src/api/define-endpoint.ts'
export {
  ANNOUNCED_LEVEL,
  REPRESENTATION_CHANGES,
  type Representation,
} from '../../src/core/representations-by-level.ts'
export { DEV_ENDPOINTS } from '../../src/dev/endpoints.ts'
export { REGISTER_KEYS } from '../../src/features/events/register-answer.ts'
export { ENDPOINTS } from '../../src/features/index.ts'
export { user as userSchema } from '../../src/features/users/get-users.ts'
export { bodyLimitAt, LONG_BODY } from '../../src/http/input/body-limit.ts'
export { describeParameter } from '../../src/http/input/openapi-parameters.ts'
export { readParameters } from '../../src/http/input/read-parameters.ts'
export { REGISTRATION } from '../../src/http/pages/page-parameters.ts'
export { byPath } from '../../src/http/request/endpoint-paths.ts'
export { INTEGRATIONS } from '../../src/integrations/index.ts'
export { OPTION_NAMES } from '../../src/integrations/integration.ts'
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
