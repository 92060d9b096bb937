import * as v from 'valibot'
import { defineStep, type ParametersOf } from '../../api/define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, PROSE_LENGTH } from '../../api/input-limits.ts'
import { integer, listUpTo, nonNegativeInteger, textCutTo, textUpTo } from '../../api/parameter-types.ts'
import { storedUpload } from '../../api/step-types.ts'
import { rateLimitsOf } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { countPoints } from '../../core/text-length.ts'
import { countAttempt } from '../../model/attempts/count-attempt.ts'
import { clientNameOf } from '../../model/caller.ts'
import { keptMailSeconds, pauseAddress } from '../../model/emails/mail-limits.ts'
import { MAIL_OPTIONS, userOfBounce } from '../../model/incoming-mail/mail-address.ts'
import { type MailTarget, requireTarget } from '../../model/incoming-mail/mail-target.ts'
import {
  compose,
  contentUpTo,
  MAX_MESSAGE_LENGTH,
  normaliseContent,
  requireMayMention,
} from '../../model/messages/text/compose.ts'
import { findRepeatedSend, sendKeyOf } from '../../model/sending/send-for-caller.ts'
import { deliverMessage } from '../../model/sending/store-message.ts'
import { addUpload, type ReservedUpload, uploadFile } from '../../model/uploads/upload-file.ts'

const writtenAddress = v.strictObject({
  kind: v.picklist(['reply', 'channel', 'bounce']),
  realmId: integer,
  ids: listUpTo(MAX_HANDMADE_LIST_LENGTH, integer),
  signature: textUpTo(NAME_LENGTH),
  options: listUpTo(MAX_HANDMADE_LIST_LENGTH, v.picklist(MAIL_OPTIONS)),
})

const mailKey = { to: writtenAddress, mailKey: textUpTo(NAME_LENGTH) }

const subject = textCutTo(NAME_LENGTH, String)

export interface OpenedMail {
  /** Whether the mail is a repetition, and is a message already. */
  readonly isRepeated: boolean
  readonly uploads: readonly ReservedUpload[]
}

/** Refuses mail to an address that is invented or takes none any more, before a long one is read. Returns whether a bounce is of an address here. */
export const admitMailStep = defineStep({
  operation: 'admit-mail',
  access: 'anyone',
  params: { to: writtenAddress },
  apply(tx, { source }, { to }): { readonly isTaken: boolean } {
    if (to.kind === 'bounce') return { isTaken: userOfBounce(tx, to) !== undefined }
    requireTarget(tx, source, { to, mailKey: '' })
    return { isTaken: true }
  },
  audit: 'read-only',
})

/** Checks whether an incoming mail may be posted, and reserves keys for its files. The recipient address decides who the sender is. */
export const openMailStep = defineStep({
  operation: 'open-mail',
  access: 'anyone',
  growsObject: true,
  params: { ...mailKey, subject, files: nonNegativeInteger },
  apply(tx, { source }, params): OpenedMail {
    const target = requireTarget(tx, source, params)
    if (findRepeatedSend(tx, target.caller, {})) return { isRepeated: true, uploads: [] }
    target.destination(params.subject)
    countMail(tx, target)
    const uploads = Array.from({ length: params.files }, () => uploadFile(tx, target.caller))
    return { isRepeated: false, uploads }
  },
  audit: 'step',
})

const takeMailParams = {
  ...mailKey,
  subject,
  text: textCutTo(MAX_MESSAGE_LENGTH, String),
  from: v.nullable(textCutTo(NAME_LENGTH, String)),
  files: listUpTo(MAX_HANDMADE_LIST_LENGTH, v.strictObject(storedUpload)),
}
type TakeMailParams = ParametersOf<typeof takeMailParams>

/**
 * Turns a mail into an ordinary message with its files, sent by the address's user with all checks. A repeated mail stays one message.
 * Source: docs/interface/notifications.md#mail-that-comes.
 */
export const takeMailStep = defineStep({
  operation: 'take-mail',
  access: 'anyone',
  growsObject: true,
  params: takeMailParams,
  apply(tx, { source }, params) {
    const target = requireTarget(tx, source, params)
    const repeated = findRepeatedSend(tx, target.caller, {})
    if (repeated) return { message_id: repeated.id }
    const destination = target.destination(params.subject)
    const content = normaliseContent(contentOf(tx, target, params))
    const { caller } = target
    const composition = compose(tx, caller, destination, content, source.origin)
    requireMayMention(tx, composition)
    const { id } = deliverMessage(tx, composition, {
      client: clientNameOf(source),
      readBySender: true,
      sendKey: sendKeyOf(caller, {}),
    })
    return { message_id: id }
  },
  audit: 'speech',
})

/** Pauses an address whose mail bounces permanently. Does nothing for other bounces. */
export const noteBounceStep = defineStep({
  operation: 'note-bounce',
  access: 'anyone',
  params: { to: writtenAddress, reason: textCutTo(PROSE_LENGTH, String) },
  apply(tx, _anyone, { to, reason }) {
    const user = userOfBounce(tx, to)
    if (user) pauseAddress(tx, user.deliveryEmail, reason)
  },
  audit: 'own',
})

const NO_BODY = '(No email body)'

/** Returns the content of a mail's message. If it is too long, the text is cut and not the files. */
function contentOf(
  tx: RealmTransaction,
  { kind, caller }: MailTarget,
  { text, from, files }: TakeMailParams,
): string {
  if (kind === 'reply' && text === '' && files.length === 0) {
    throw new BadRequestError('The mail has no text besides quotations, and no file.')
  }
  const links = files.map((file) => {
    const { url, filename } = addUpload(tx, caller, file)
    return `[${filename.replaceAll(/[[\]]/g, '')}](${url})`
  })
  const body = text === '' && files.length === 0 ? NO_BODY : text
  const first = from === null ? '' : `From: ${from}\n`
  const last = links.length === 0 ? '' : `\n\n${links.join('\n')}`
  const room = MAX_MESSAGE_LENGTH - countPoints(first) - countPoints(last)
  return `${first}${contentUpTo(body, room)}${last}`
}

/** Mail to all channels of an organization is counted together, since anyone may write there. Replies are counted by their sender. */
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
      `Too many mails have arrived at once. Send it again in ${Math.ceil(wait)} seconds.`,
    )
  }
}
