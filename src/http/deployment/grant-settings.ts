import { logSettingProblem } from '../../core/setting-problems.ts'

/**
 * Accounts with special rights, separated by spaces: the organization's host name, a slash, the address of
 * the account, as in `chat.example.com/ann@example.com`. The host name is needed because an organization's
 * administrators decide themselves who has which address in it. Source:
 * docs/decisions/interface.md#channels-groups-people.
 */
export interface GrantEnvironment {
  /** Administrators who may make accounts with POST /users, beside the owner who founded the organization. */
  readonly CAN_CREATE_USERS?: string
  /** Administrators who may change other people's addresses, beside that owner. */
  readonly CAN_CHANGE_EMAILS?: string
}

const GRANT = /^([^/\s]+)\/([^/\s]+@[^@\s]+)$/

/**
 * Returns the addresses that a setting names at this host, in lower case. An entry that is not understood
 * grants nothing.
 */
export function readGrants(env: GrantEnvironment, name: keyof GrantEnvironment, host: string): string[] {
  const setting = env[name]?.trim() ?? ''
  if (setting === '') return []
  return setting.split(/\s+/).flatMap((entry) => {
    const [, grantedAt, address] = GRANT.exec(entry) ?? []
    if (grantedAt === undefined || address === undefined) {
      logSettingProblem(name, entry, 'It has to be HOST/ADDRESS, and gives nobody anything.')
      return []
    }
    return grantedAt.toLowerCase() === host ? [address.toLowerCase()] : []
  })
}
