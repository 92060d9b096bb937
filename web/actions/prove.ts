import { api, call } from './call.ts'

/** Asks for a proof unless there is one; returns whether there is. For what the server leaves out of an answer without one. */
export async function prove(): Promise<boolean> {
  const { proved_until } = await call('GET', '/reauthentication')
  return proved_until !== null || api.onProofNeeded()
}
