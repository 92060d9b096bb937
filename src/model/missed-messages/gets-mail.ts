import type { Profile } from '../../store/users/user-rows.ts'

/** Whether a message is a newcomer's greeting, which needs no mail since they have just joined. */
export function isWelcome(user: Profile): boolean {
  return user.isSystemBot && user.deliveryEmail.startsWith('welcome-bot@')
}

/** Whether a user gets mail at all: bots and closed accounts get none, nor does an address that may be another user's. */
export function getsMail<Account extends Profile>(user: Account | undefined): user is Account {
  return user?.isActive === true && user.isEmailConfirmed && user.botType === null && !user.isSystemBot
}
