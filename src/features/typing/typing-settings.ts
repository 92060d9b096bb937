import { BadRequestError } from '../../core/errors.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/**
 * Refuses a user whose setting hides typing, instead of silently sending nothing
 * (docs/interface/messages.md#typing).
 */
export function requireTypingShared(user: User, kind: 'channel' | 'direct'): void {
  if (kind === 'channel' && !userSetting(user, 'send_stream_typing_notifications')) {
    throw new BadRequestError('User has disabled typing notifications for channel messages')
  }
  if (kind === 'direct' && !userSetting(user, 'send_private_typing_notifications')) {
    throw new BadRequestError('User has disabled typing notifications for direct messages')
  }
}
