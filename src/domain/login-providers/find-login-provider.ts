import type { ReadCommand } from '../../core/command.ts'
import { findLoginProviderAt, type LoginProvider } from './login-provider-rows.ts'

/** The result of `find-login-provider`: null where there is none, or where it is off. */
export interface FoundLoginProvider {
  readonly provider: LoginProvider | null
}

/** Finds the provider of an address, for the Worker, which asks it in the organization's name. */
export const findLoginProviderForWorker: ReadCommand<unknown, { slug: string }, void, FoundLoginProvider> = {
  reads: true,
  apply({ sql }, _context, { slug }) {
    const provider = findLoginProviderAt(sql, slug)
    return { provider: provider?.isEnabled ? provider : null }
  },
}
