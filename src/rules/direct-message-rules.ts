import { BadRequestError } from '../core/errors.ts'
import type { Actor } from './actor.ts'
import { hasRealmGrant, type RealmPermissions } from './grants.ts'
import { sameGroupSetting } from './group-setting-values.ts'
import { systemGroupId } from './system-groups.ts'

/** Rules of who may write to whom. Source: docs/interface/messages.md#send-a-message, step 4. */
export interface DirectRecipient {
  readonly actor: Actor
  /** The API email, for the refusal. */
  readonly email: string
  /** Whether the user is visible to a sender who is a guest. */
  readonly isVisibleToSender: boolean
}

export interface DirectConversation {
  /** All participants but the sender; empty for a message to oneself. */
  readonly recipients: readonly DirectRecipient[]
  readonly hasMessages: boolean
}

/** Throws the refusals in their order. */
export function requireMaySendDirect(
  sender: Actor,
  { recipients, hasMessages }: DirectConversation,
  realm: RealmPermissions,
): void {
  if (!recipients.every(({ isVisibleToSender }) => isVisibleToSender)) {
    throw new BadRequestError('You do not have permission to access some of the recipients.')
  }
  const deactivated = recipients.find(({ actor }) => !actor.isActive)
  if (deactivated) throw new BadRequestError(`'${deactivated.email}' is no longer using Parley.`)
  if (sender.isBot || recipients.every(({ actor }) => actor.isBot)) return
  requireAuthorizedConversation([sender, ...recipients.map(({ actor }) => actor)], realm)
  if (!hasMessages && !hasRealmGrant(sender, realm, 'direct_message_initiator_group')) {
    throw new BadRequestError('You do not have permission to initiate direct message conversations.')
  }
}

/** Requires one participant who may use direct messages; any one of them is enough. */
function requireAuthorizedConversation(participants: readonly Actor[], realm: RealmPermissions): void {
  if (participants.some((user) => hasRealmGrant(user, realm, 'direct_message_permission_group'))) return
  if (sameGroupSetting(realm.direct_message_permission_group, systemGroupId('role:nobody'))) {
    throw new BadRequestError('Direct messages are disabled in this organization.')
  }
  throw new BadRequestError('This conversation does not include any users who can authorize it.')
}
