import { call } from './call.ts'

/** A person or channel that is on hold. */
export interface Hold {
  readonly id: number
  readonly user_id: number | null
  readonly stream_id: number | null
  readonly reason: string
  readonly acting_user_id: number
  /** UNIX seconds. */
  readonly placed_at: number
}

export async function loadHolds(): Promise<readonly Hold[]> {
  return (await call('GET', '/realm/holds')).holds as Hold[]
}

export async function placeHold(
  of: { readonly user_id: number } | { readonly stream_id: number },
  reason: string,
): Promise<void> {
  await call('POST', '/realm/holds', { ...of, reason })
}

export async function releaseHold(id: number): Promise<void> {
  await call('DELETE', `/realm/holds/${id}`)
}
