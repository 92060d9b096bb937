import { deploymentOf, type RequestSource } from '../../../core/call.ts'
import type { User } from '../../../store/users/user-rows.ts'

/**
 * Two rights that belong to single accounts, and that only the operator of the deployment gives: the owner
 * who founds an organization has both, and others get them by the settings CAN_CREATE_USERS and
 * CAN_CHANGE_EMAILS. They have no effect on an account that is no administrator's, which is checked
 * elsewhere. Source: docs/decisions/interface.md#channels-groups-people;
 * docs/interface/users.md#change-a-user.
 */
export function mayCreateUsers(user: User, source: RequestSource): boolean {
  return user.canCreateUsers || isNamed(user, deploymentOf(source).userCreators)
}

export function mayChangeEmails(user: User, source: RequestSource): boolean {
  return user.canChangeEmails || isNamed(user, deploymentOf(source).emailChangers)
}

function isNamed({ deliveryEmail, botType }: User, addresses: readonly string[]): boolean {
  return botType === null && addresses.includes(deliveryEmail.toLowerCase())
}
