import { ApiError } from '../api/index.ts'
import type { GroupSettingValue, Role } from '../state/wire.ts'
import { call } from './call.ts'

/** Changes other people's accounts, groups and invitations. Changes show when their events arrive. */

export async function renameUser(userId: number, name: string): Promise<void> {
  await call('PATCH', `/users/${userId}`, { full_name: name })
}

export async function changeRole(userId: number, role: Role): Promise<void> {
  await call('PATCH', `/users/${userId}`, { role })
}

/** The parts of a closed account that are deleted. */
export const ERASED = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const

export interface Farewell {
  /** The text of the mail that tells the person; undefined: no mail. */
  readonly comment?: string | undefined
  readonly erased?: readonly (typeof ERASED)[number][]
}

export async function deactivateUser(userId: number, { comment, erased = [] }: Farewell = {}): Promise<void> {
  await call('DELETE', `/users/${userId}`, {
    deactivation_notification_comment: comment,
    actions: erased.length === 0 ? undefined : Object.fromEntries(erased.map((name) => [name, true])),
  })
}

/** Makes an account without an invitation. */
export async function createAccount(entered: {
  readonly email: string
  readonly full_name: string
  readonly password: string
}): Promise<void> {
  await call('POST', '/users', { ...entered })
}

export async function saveFieldOf(
  userId: number,
  id: number,
  value: string | readonly number[] | null,
): Promise<void> {
  await call('PATCH', `/users/${userId}`, { profile_data: [{ id, value }] })
}

export async function setStatusOf(userId: number, text: string): Promise<void> {
  await call('POST', `/users/${userId}/status`, { status_text: text })
}

export async function reactivateUser(userId: number): Promise<void> {
  await call('POST', `/users/${userId}/reactivate`)
}

export async function createGroup(
  name: string,
  description: string,
  members: readonly number[],
): Promise<number> {
  const answer = await call('POST', '/user_groups/create', { name, description, members })
  return answer.group_id as number
}

export async function changeGroup(groupId: number, changes: object): Promise<void> {
  await call('PATCH', `/user_groups/${groupId}`, changes)
}

export async function setGroupPermission(
  groupId: number,
  name: string,
  value: GroupSettingValue,
): Promise<void> {
  await call('PATCH', `/user_groups/${groupId}`, { [name]: { new: value } })
}

export async function changeMembers(
  groupId: number,
  changes: Partial<Record<'add' | 'delete' | 'add_subgroups' | 'delete_subgroups', readonly number[]>>,
): Promise<void> {
  await call('POST', `/user_groups/${groupId}/members`, changes)
}

export async function deactivateGroup(groupId: number): Promise<void> {
  await call('POST', `/user_groups/${groupId}/deactivate`)
}

/** What names a group, so that it cannot be deactivated. */
export type GroupUse =
  | { readonly type: 'realm'; readonly settings: readonly string[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }

/** Returns what a refusal of `deactivateGroup` names. */
export function usesOfGroup(error: unknown): readonly GroupUse[] {
  if (!(error instanceof ApiError) || error.code !== 'CANNOT_DEACTIVATE_GROUP_IN_USE') return []
  return (error.extra.objections ?? []) as readonly GroupUse[]
}

export interface Invitation {
  readonly id: number
  readonly invited_by_user_id: number
  /** UNIX seconds; null: never. */
  readonly invited: number
  readonly expiry_date: number | null
  readonly invited_as: Role
  readonly is_multiuse: boolean
  /** '' for a link that gives more than a member has, until the user has proved who it is. */
  readonly link_url?: string
  readonly email?: string
}

export async function loadInvitations(): Promise<readonly Invitation[]> {
  return (await call('GET', '/invites')).invites as Invitation[]
}

export interface InvitationTerms {
  readonly role: Role
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  /** Null: for ever. */
  readonly minutes: number | null
}

function parametersOf({ role, channelIds, groupIds, minutes }: InvitationTerms): object {
  return {
    invite_as: role,
    stream_ids: channelIds,
    group_ids: groupIds,
    invite_expires_in_minutes: minutes,
  }
}

/** Invites by mail. `addresses`: separated by commas or line ends. */
export async function inviteByMail(addresses: string, terms: InvitationTerms): Promise<void> {
  await call('POST', '/invites', { invitee_emails: addresses, ...parametersOf(terms) })
}

/** Returns the addresses that a refusal of `inviteByMail` names, each with its reason. */
export function failedAddresses(error: unknown): readonly (readonly [address: string, reason: string])[] {
  if (!(error instanceof ApiError) || error.code !== 'INVITATION_FAILED') return []
  const errors = (error.extra.errors ?? []) as readonly [string, string, boolean][]
  return errors.map(([address, reason]) => [address, reason])
}

/** Whether `inviteByMail` was refused for some addresses alone, and has invited the others. */
export function hasInvitedOthers(error: unknown): boolean {
  return error instanceof ApiError && error.extra.sent_invitations === true
}

export async function createInviteLink(terms: InvitationTerms): Promise<string> {
  return (await call('POST', '/invites/multiuse', parametersOf(terms))).invite_link as string
}

export async function revokeInvitation({ id, is_multiuse }: Invitation): Promise<void> {
  await call('DELETE', is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`)
}

export async function resendInvitation({ id }: Invitation): Promise<void> {
  await call('POST', `/invites/${id}/resend`)
}
