import type { ParameterValue } from '../../support/api.ts'

/** What the acts are about: ids of an organization. */
export interface Scene {
  readonly member: number
  readonly memberEmail: string
  /** A moderator whose account is closed. */
  readonly closed: number
  /** An outgoing webhook of the owner who acts. */
  readonly bot: number
  /** A group that may create channels; its members include only the owner of the organization. */
  readonly group: number
  /** A group whose members may add people to `group`. */
  readonly adding: number
  /** A group without rights. */
  readonly other: number
}

export interface Act {
  readonly operation: string
  readonly method: string
  readonly path: string | ((scene: Scene) => string)
  readonly params?: Record<string, ParameterValue> | ((scene: Scene) => Record<string, ParameterValue>)
  /** The refusal that it has with a proof: it is not prepared. Absent: it succeeds. */
  readonly refused?: string
}

const PASSWORD = 'a fine password'
const user = ({ member }: Scene) => `/users/${member}`
const bot = ({ bot }: Scene) => `/bots/${bot}`
const to =
  (id: keyof Scene, rest = '') =>
  (scene: Scene) =>
    `/user_groups/${scene[id]}${rest}`

/** Requests of an owner that need a proof: at least one of each operation (test/house/security-page.test.ts). */
export const ACTS: readonly Act[] = [
  {
    operation: 'export-realm',
    method: 'POST',
    path: '/export/realm',
    params: { export_type: 'full_with_consent' },
  },
  {
    operation: 'update-realm',
    method: 'PATCH',
    path: '/realm',
    params: { authentication_methods: { Email: true } },
  },
  {
    operation: 'update-realm',
    method: 'PATCH',
    path: '/realm',
    params: { second_factor_required_for: 'nobody' },
  },
  { operation: 'update-realm', method: 'PATCH', path: '/realm', params: { waiting_period_threshold: 3 } },
  {
    operation: 'update-realm',
    method: 'PATCH',
    path: '/realm',
    params: { can_add_custom_emoji_group: { new: 3 } },
  },
  { operation: 'update-user', method: 'PATCH', path: user, params: { role: 100 } },
  { operation: 'update-user', method: 'PATCH', path: user, params: { role: 200 } },
  { operation: 'update-user', method: 'PATCH', path: user, params: { role: 300 } },
  {
    operation: 'update-user',
    method: 'PATCH',
    path: user,
    params: { new_email: 'new@example.com' },
    refused: 'User not authorized to change user emails',
  },
  {
    operation: 'update-user-by-email',
    method: 'PATCH',
    path: ({ memberEmail }) => `/users/${memberEmail}`,
    params: { role: 300 },
  },
  { operation: 'deactivate-user', method: 'DELETE', path: user },
  {
    operation: 'deactivate-user',
    method: 'DELETE',
    path: user,
    params: { actions: { delete_profile: true } },
  },
  { operation: 'reactivate-user', method: 'POST', path: ({ closed }) => `/users/${closed}/reactivate` },
  {
    operation: 'reset-second-factors',
    method: 'DELETE',
    path: (scene) => `${user(scene)}/second_factors`,
    refused: 'This user has no two-step verification.',
  },
  {
    operation: 'begin-import',
    method: 'POST',
    path: '/imports',
    params: { path_id: '2/ab/archive.jsonl' },
    refused: 'You have uploaded no such file',
  },
  { operation: 'invite-imported-users', method: 'POST', path: '/imports/invitations' },
  {
    operation: 'update-import',
    method: 'PATCH',
    path: '/imports/1',
    params: { action: 'run' },
    refused: 'Invalid import ID',
  },
  {
    operation: 'send-invites',
    method: 'POST',
    path: '/invites',
    params: { invitee_emails: 'new@example.com', invite_as: 300, stream_ids: [] },
  },
  {
    operation: 'send-invites',
    method: 'POST',
    path: '/invites',
    params: ({ group }) => ({ invitee_emails: 'other@example.com', stream_ids: [], group_ids: [group] }),
  },
  { operation: 'create-invite-link', method: 'POST', path: '/invites/multiuse', params: { invite_as: 100 } },
  { operation: 'create-invite-link', method: 'POST', path: '/invites/multiuse', params: { invite_as: 300 } },
  {
    operation: 'create-invite-link',
    method: 'POST',
    path: '/invites/multiuse',
    params: ({ adding }) => ({ group_ids: [adding] }),
  },
  {
    operation: 'create-bot',
    method: 'POST',
    path: '/bots',
    params: { full_name: 'Builder', short_name: 'builder' },
  },
  { operation: 'get-bot-api-key', method: 'GET', path: (scene) => `${bot(scene)}/api_key` },
  {
    operation: 'regenerate-bot-api-key',
    method: 'POST',
    path: (scene) => `${bot(scene)}/api_key/regenerate`,
  },
  { operation: 'renew-webhook-secret', method: 'POST', path: (scene) => `${bot(scene)}/webhook_secret` },
  { operation: 'update-bot', method: 'PATCH', path: bot, params: { role: 300 } },
  { operation: 'update-bot', method: 'PATCH', path: bot, params: ({ member }) => ({ bot_owner_id: member }) },
  {
    operation: 'update-bot',
    method: 'PATCH',
    path: bot,
    params: { service_payload_url: 'https://other.example.com/' },
  },
  {
    operation: 'update-user-group',
    method: 'PATCH',
    path: to('group'),
    params: { can_join_group: { new: 6 } },
  },
  {
    operation: 'update-user-group',
    method: 'PATCH',
    path: to('adding'),
    params: { can_manage_group: { new: 6 } },
  },
  {
    operation: 'update-user-group-members',
    method: 'POST',
    path: to('group', '/members'),
    params: ({ member }) => ({ add: [member] }),
  },
  {
    operation: 'update-user-group-members',
    method: 'POST',
    path: to('group', '/members'),
    params: ({ other }) => ({ add_subgroups: [other] }),
  },
  {
    operation: 'update-user-group-members',
    method: 'POST',
    path: to('adding', '/members'),
    params: ({ member }) => ({ add: [member] }),
  },
  {
    operation: 'update-user-group-subgroups',
    method: 'POST',
    path: to('group', '/subgroups'),
    params: ({ other }) => ({ add: [other] }),
  },
  {
    operation: 'create-login-provider',
    method: 'POST',
    path: '/login_providers',
    params: { slug: 'x' },
    refused: '',
  },
  { operation: 'update-login-provider', method: 'PATCH', path: '/login_providers/1', refused: '' },
  { operation: 'remove-login-provider', method: 'DELETE', path: '/login_providers/1', refused: '' },
  {
    operation: 'remove-login-identity',
    method: 'DELETE',
    path: '/login_identities/1',
    refused: 'Invalid connected account',
  },
  {
    operation: 'set-jwt-secret',
    method: 'PUT',
    path: '/realm/jwt_secret',
    params: { secret: 'a secret that is thirty-two letters' },
  },
  { operation: 'remove-jwt-secret', method: 'DELETE', path: '/realm/jwt_secret' },
  { operation: 'create-scim-token', method: 'POST', path: '/scim_token' },
  { operation: 'update-scim-token', method: 'PATCH', path: '/scim_token', params: { manages_owners: true } },
  { operation: 'delete-scim-token', method: 'DELETE', path: '/scim_token' },
  { operation: 'copy-backup', method: 'POST', path: '/backups/1/copy', refused: 'Invalid backup ID' },
  {
    operation: 'give-back-part',
    method: 'POST',
    path: '/backups/1/parts',
    params: { user_id: 1 },
    refused: 'No such user',
  },
  {
    operation: 'restore-backup',
    method: 'POST',
    path: '/backups/1/restore',
    refused: 'Invalid backup ID',
  },
  {
    operation: 'erase-user',
    method: 'POST',
    path: '/users/999999/erase',
    params: { messages: 'keep' },
    refused: 'No such user',
  },
  { operation: 'release-hold', method: 'DELETE', path: '/realm/holds/1', refused: 'There is no such hold.' },
  {
    operation: 'update-settings',
    method: 'PATCH',
    path: '/settings',
    params: { email: 'new@example.com' },
    refused: '',
  },
  { operation: 'fetch-own-api-key', method: 'POST', path: '/fetch_api_key' },
  { operation: 'regenerate-own-api-key', method: 'POST', path: '/users/me/api_key/regenerate' },
  { operation: 'log-out-elsewhere', method: 'DELETE', path: '/browser_sessions' },
  { operation: 'begin-totp', method: 'POST', path: '/second_factors/totp' },
  {
    operation: 'confirm-totp',
    method: 'POST',
    path: '/second_factors/totp/confirm',
    params: { code: '123456' },
    refused: '',
  },
  {
    operation: 'remove-totp',
    method: 'DELETE',
    path: '/second_factors/totp',
    refused: 'You have no authenticator app.',
  },
  { operation: 'renew-recovery-codes', method: 'POST', path: '/second_factors/recovery_codes', refused: '' },
  { operation: 'begin-passkey', method: 'POST', path: '/second_factors/passkeys/options' },
  {
    operation: 'add-passkey',
    method: 'POST',
    path: '/second_factors/passkeys',
    params: {
      name: 'Laptop',
      credential: {
        id: 'abcd',
        rawId: 'abcd',
        type: 'public-key',
        response: { clientDataJSON: 'abcd', attestationObject: 'abcd' },
      },
    },
    refused: '',
  },
  {
    operation: 'remove-passkey',
    method: 'DELETE',
    path: '/second_factors/passkeys/1',
    refused: 'No such passkey',
  },
  { operation: 'deactivate-own-user', method: 'DELETE', path: '/users/me' },
  // The last: the organization is closed after it.
  { operation: 'deactivate-realm', method: 'POST', path: '/realm/deactivate' },
]

/** Requests of the same operations, and of their neighbours, that give nobody more than they have. */
export const HARMLESS: readonly Act[] = [
  { operation: 'export-realm', method: 'POST', path: '/export/realm', params: { export_type: 'public' } },
  { operation: 'update-realm', method: 'PATCH', path: '/realm', params: { name: 'Another name' } },
  { operation: 'update-user', method: 'PATCH', path: user, params: { role: 600 } },
  { operation: 'create-invite-link', method: 'POST', path: '/invites/multiuse', params: { invite_as: 400 } },
  {
    operation: 'create-invite-link',
    method: 'POST',
    path: '/invites/multiuse',
    params: ({ other }) => ({ group_ids: [other] }),
  },
  { operation: 'update-bot', method: 'PATCH', path: bot, params: { full_name: 'Painter' } },
  {
    operation: 'update-user-group',
    method: 'PATCH',
    path: to('group'),
    params: { description: 'Those who create channels' },
  },
  {
    operation: 'update-user-group',
    method: 'PATCH',
    path: to('group'),
    params: { can_leave_group: { new: 6 } },
  },
  {
    operation: 'update-user-group-members',
    method: 'POST',
    path: to('other', '/members'),
    params: ({ member }) => ({ add: [member] }),
  },
  { operation: 'update-settings', method: 'PATCH', path: '/settings', params: { full_name: 'Another Name' } },
]

/** Acts that ask for the password themselves. */
export const WITH_PASSWORD: readonly Act[] = [
  {
    operation: 'update-settings',
    method: 'PATCH',
    path: '/settings',
    params: { old_password: PASSWORD, new_password: 'another password' },
  },
  { operation: 'fetch-own-api-key', method: 'POST', path: '/fetch_api_key', params: { password: PASSWORD } },
]

/** Returns the request of an act, as the arguments of `Browser.json`. */
export function requestOf(
  { method, path, params = {} }: Act,
  scene: Scene,
): [method: string, path: string, params: Record<string, ParameterValue>] {
  return [
    method,
    typeof path === 'string' ? path : path(scene),
    typeof params === 'function' ? params(scene) : params,
  ]
}
