import { call } from './call.ts'

/** What owners see of the token with which an identity provider provisions accounts. */
export interface ScimToken {
  /** UNIX seconds. */
  readonly date_created: number
  readonly creator_id: number
  readonly last_used: number | null
  readonly manages_owners: boolean
  readonly former_valid_until: number | null
  readonly former_last_used: number | null
}

export interface Provisioning {
  readonly base_url: string
  readonly scim_token: ScimToken | null
}

export function loadProvisioning(): Promise<Provisioning> {
  return call<Provisioning>('GET', '/scim_token')
}

/** Makes a token and returns it; nothing shows it again. */
export async function makeScimToken(): Promise<string> {
  return (await call('POST', '/scim_token')).token as string
}

export async function setManagesOwners(managesOwners: boolean): Promise<void> {
  await call('PATCH', '/scim_token', { manages_owners: managesOwners })
}

export async function endFormerToken(): Promise<void> {
  await call('PATCH', '/scim_token', { end_former: true })
}

export async function removeScimToken(): Promise<void> {
  await call('DELETE', '/scim_token')
}
