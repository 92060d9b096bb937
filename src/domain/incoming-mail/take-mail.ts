import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { countPoints } from '../../core/text-length.ts'
import type { Anyone } from '../anyone.ts'
import { clientNameOf } from '../caller.ts'
import { compose, requireMayMention } from '../messages/send/compose.ts'
import { contentUpTo, MAX_MESSAGE_LENGTH, normaliseContent } from '../messages/send/message-text.ts'
import { findRepeatedSend, sendKeyOf } from '../messages/send/send-key.ts'
import { deliverMessage } from '../messages/send/store-message.ts'
import { enterUpload, type StoredUpload } from '../uploads/upload-file.ts'
import { type MailKey, type MailTarget, requireTarget } from './mail-target.ts'

export interface TakeMailParams extends MailKey {
  readonly subject: string
  /** The text of the mail's writer; may be ''. */
  readonly text: string
  /** The sender's name and address, if the message shows them. */
  readonly from: string | null
  /** The files of the mail, stored. */
  readonly files: readonly StoredUpload[]
}

export interface TakenMail {
  readonly message_id: number
}

const NO_BODY = '(No email body)'

/**
 * Turns a mail into an ordinary message, with its files, sent by the address's user with every check of
 * sending. A repeated mail stays the message that it has become. Source:
 * docs/interface/notifications.md#mail-that-comes.
 */
export const takeMail: Command<Anyone, TakeMailParams, void, TakenMail> = {
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
}

/**
 * Returns the content of a mail's message. If it is too long the text is cut, since the files cannot be read
 * elsewhere.
 */
function contentOf(
  tx: RealmTransaction,
  { kind, caller }: MailTarget,
  { text, from, files }: TakeMailParams,
): string {
  if (kind === 'reply' && text === '' && files.length === 0) {
    throw new BadRequestError('The mail says nothing beside what it quotes, and has no file.')
  }
  const links = files.map((file) => {
    const { url, filename } = enterUpload.apply(tx, caller, file)
    return `[${filename.replaceAll(/[[\]]/g, '')}](${url})`
  })
  const body = text === '' && files.length === 0 ? NO_BODY : text
  const first = from === null ? '' : `From: ${from}\n`
  const last = links.length === 0 ? '' : `\n\n${links.join('\n')}`
  const room = MAX_MESSAGE_LENGTH - countPoints(first) - countPoints(last)
  return `${first}${contentUpTo(body, room)}${last}`
}
