import { defineStep } from '../../api/define-endpoint.ts'
import { inAddress } from '../../api/step-types.ts'
import { findLoginProviderForWorker } from '../../model/login-providers/find-login-provider.ts'

/** The first step of a log-in with a provider. Its answer has the sealed secret, and goes to nobody. */
export const findLoginProviderStep = defineStep({
  operation: 'find-login-provider',
  access: 'anyone',
  params: { slug: inAddress },
  command: findLoginProviderForWorker,
  audit: 'read-only',
})
