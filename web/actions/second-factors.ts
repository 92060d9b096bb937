import { askForPasskey, makePasskey } from '../api/passkeys.ts'
import { call } from './call.ts'

/** The user's second factors, and the sessions and devices of the account. */

export interface Passkey {
  readonly id: number
  readonly name: string
  readonly is_backed_up: boolean
  /** UNIX seconds. */
  readonly made_at: number
  readonly used_at: number | null
}

export interface SecondFactors {
  readonly is_required: boolean
  readonly totp_made_at: number | null
  readonly recovery_codes_left: number
  readonly passkeys: readonly Passkey[]
}

export async function loadSecondFactors(): Promise<SecondFactors> {
  return call<SecondFactors>('GET', '/second_factors')
}

/** The data for setting up an authenticator app. */
export interface NewApp {
  readonly secret: string
  /** SVG. */
  readonly qr_code: string
}

export async function beginApp(): Promise<NewApp> {
  return call<NewApp>('POST', '/second_factors/totp')
}

interface Codes {
  readonly recovery_codes: readonly string[]
}

/** Completes the set-up of an app; returns recovery codes if there were none. */
export async function confirmApp(code: string): Promise<readonly string[]> {
  return (await call<Codes>('POST', '/second_factors/totp/confirm', { code })).recovery_codes
}

export async function removeApp(): Promise<void> {
  await call('DELETE', '/second_factors/totp')
}

export async function renewRecoveryCodes(): Promise<readonly string[]> {
  return (await call<Codes>('POST', '/second_factors/recovery_codes')).recovery_codes
}

/** Asks the user to make a passkey, and adds it; returns recovery codes if there were none. */
export async function addPasskey(name: string): Promise<readonly string[]> {
  const { options } = await call('POST', '/second_factors/passkeys/options')
  const credential = await makePasskey(options as PublicKeyCredentialCreationOptionsJSON)
  return (await call<Codes>('POST', '/second_factors/passkeys', { name, credential })).recovery_codes
}

export async function renamePasskey(id: number, name: string): Promise<void> {
  await call('PATCH', `/second_factors/passkeys/${id}`, { name })
}

export async function removePasskey(id: number): Promise<void> {
  await call('DELETE', `/second_factors/passkeys/${id}`)
}

/** Returns who has a second factor, for administrators. */
export async function loadUsersWithSecondFactors(): Promise<ReadonlySet<number>> {
  return new Set((await call('GET', '/second_factors/users')).user_ids as number[])
}

export async function resetSecondFactors(userId: number): Promise<void> {
  await call('DELETE', `/users/${userId}/second_factors`)
}

/** A phone or tablet with an app that is logged in. */
export interface Device {
  readonly kind: 'fcm' | 'apns' | null
  /** UNIX seconds; null where it is not known. */
  readonly registered_at: number | null
  /** Its id, or the token of an older app. */
  readonly known: { readonly device_id: number } | { readonly token: string }
}

export async function loadDevices(): Promise<readonly Device[]> {
  const { devices, tokens } = await call<{
    devices: (Pick<Device, 'kind' | 'registered_at'> & { device_id: number })[]
    tokens: { kind: 'fcm' | 'apns'; token: string }[]
  }>('GET', '/client_devices')
  return [
    ...devices.map(({ device_id, ...device }) => ({ ...device, known: { device_id } })),
    ...tokens.map(({ kind, token }) => ({ kind, registered_at: null, known: { token } })),
  ]
}

/** Ends the notifications of a device. */
export async function removeDevice({ kind, known }: Device): Promise<void> {
  if ('device_id' in known) await call('POST', '/remove_client_device', known)
  else if (kind === 'apns') await call('DELETE', '/users/me/apns_device_token', known)
  else await call('DELETE', '/users/me/android_gcm_reg_id', known)
}

/** Logs out everywhere but here. */
export async function logOutElsewhere(): Promise<void> {
  await call('DELETE', '/browser_sessions')
}

/** The ways in which the user can prove their identity again. */
export interface ProofQuestion {
  readonly password: boolean
  readonly code: boolean
  readonly passkey: PublicKeyCredentialRequestOptionsJSON | null
  /** Providers at which the user can log in again. */
  readonly providers: readonly { readonly slug: string; readonly display_name: string }[]
}

export async function askForProof(): Promise<ProofQuestion> {
  return call<ProofQuestion>('GET', '/reauthentication')
}

export async function proveBy(
  proof: { readonly password: string } | { readonly code: string },
): Promise<void> {
  await call('POST', '/reauthentication', proof)
}

export async function proveByPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<void> {
  await call('POST', '/reauthentication', { credential: await askForPasskey(options) })
}
