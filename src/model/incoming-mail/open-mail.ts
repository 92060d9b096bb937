import { rateLimitsOf } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Anyone } from '../anyone.ts'
import { countAttempt } from '../attempts/count-attempt.ts'
import { keptMailSeconds } from '../emails/mail-limits.ts'
import { findRepeatedSend } from '../messages/send/send-key.ts'
import { type ReservedUpload, uploadFile } from '../uploads/upload-file.ts'
import { type MailKey, type MailTarget, requireTarget } from './mail-target.ts'

export interface OpenMailParams extends MailKey {
  readonly subject: string
  /** Number of files in it. */
  readonly files: number
}

export interface OpenedMail {
  /** Whether the same mail has come before, and is a message already. */
  readonly isRepeated: boolean
  readonly uploads: readonly ReservedUpload[]
}

/**
 * Checks whether a mail may be posted, and reserves keys for its files. Source:
 * docs/interface/notifications.md#mail-that-comes.
 */
export const openMail: Command<Anyone, OpenMailParams, void, OpenedMail> = {
  apply(tx, { source }, params) {
    const target = requireTarget(tx, source, params)
    if (findRepeatedSend(tx, target.caller, {})) return { isRepeated: true, uploads: [] }
    target.destination(params.subject)
    countMail(tx, target)
    const uploads = Array.from({ length: params.files }, () => uploadFile.apply(tx, target.caller, {}))
    return { isRepeated: false, uploads }
  },
}

/**
 * Mail to all channels of an organization is counted together, since everybody may write there. Replies are
 * counted by their sender.
 */
function countMail(tx: RealmTransaction, { kind, caller }: MailTarget): void {
  const limits = rateLimitsOf(caller.source)
  const wait = countAttempt(tx, {
    table: 'mail_request',
    owner: kind === 'channel' ? 'channel mail' : `reply ${caller.user.id}`,
    limits: limits[kind === 'channel' ? 'channelMail' : 'mailReplies'],
    keptSeconds: keptMailSeconds(caller.source),
  })
  if (wait !== undefined) {
    throw new BadRequestError(
      `Too many mails have come here at once. Send it again in ${Math.ceil(wait)} seconds.`,
    )
  }
}
