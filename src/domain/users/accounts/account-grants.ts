import { deploymentOf, type RequestSource } from '../../../core/call.ts'
import type { User } from '../user-rows.ts'

/**
 * Two rights go to single accounts, and only whoever runs the deployment gives them: the owner who founds an
 * organization has both, and others get them by the settings CAN_CREATE_USERS and CAN_CHANGE_EMAILS. They
 * have no effect on an account that is no administrator's; that is looked at elsewhere. Source: docs/decisions/interface.md#channels-groups-people;
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
