import * as v from 'valibot'
import { MAIL_OPTIONS } from '../../domain/incoming-mail/mail-address.ts'
import { noteBounce } from '../../domain/incoming-mail/note-bounce.ts'
import { openMail } from '../../domain/incoming-mail/open-mail.ts'
import { takeMail } from '../../domain/incoming-mail/take-mail.ts'
import { MAX_MESSAGE_LENGTH } from '../../domain/messages/send/message-text.ts'
import { defineStep } from '../define-endpoint.ts'
import { MAX_HANDMADE_LIST_LENGTH, NAME_LENGTH, PROSE_LENGTH } from '../input-limits.ts'
import { integer, listUpTo, nonNegativeInteger, textCutTo, textUpTo } from '../parameter-types.ts'
import { storedUpload } from '../step-types.ts'

const writtenAddress = v.strictObject({
  kind: v.picklist(['reply', 'channel', 'bounce']),
  realmId: integer,
  ids: listUpTo(MAX_HANDMADE_LIST_LENGTH, integer),
  signature: textUpTo(NAME_LENGTH),
  options: listUpTo(MAX_HANDMADE_LIST_LENGTH, v.picklist(MAIL_OPTIONS)),
})

const mailKey = { to: writtenAddress, mailKey: textUpTo(NAME_LENGTH) }

const subject = textCutTo(NAME_LENGTH, String)

/**
 * The step that the Worker calls when mail comes; the API has no such operation. The address that the mail
 * was sent to decides who may send.
 */
export const openMailStep = defineStep({
  operation: 'open-mail',
  access: 'anyone',
  growsObject: true,
  params: { ...mailKey, subject, files: nonNegativeInteger },
  command: openMail,
  audit: 'step',
})

export const takeMailStep = defineStep({
  operation: 'take-mail',
  access: 'anyone',
  growsObject: true,
  params: {
    ...mailKey,
    subject,
    text: textCutTo(MAX_MESSAGE_LENGTH, String),
    from: v.nullable(textCutTo(NAME_LENGTH, String)),
    files: listUpTo(MAX_HANDMADE_LIST_LENGTH, v.strictObject(storedUpload)),
  },
  command: takeMail,
  audit: 'speech',
})

export const noteBounceStep = defineStep({
  operation: 'note-bounce',
  access: 'anyone',
  params: { to: writtenAddress, reason: textCutTo(PROSE_LENGTH, String) },
  command: noteBounce,
  audit: 'own',
})
