import { noteBounce } from '../../domain/incoming-mail/note-bounce.ts'
import { openMail } from '../../domain/incoming-mail/open-mail.ts'
import { takeMail } from '../../domain/incoming-mail/take-mail.ts'
import { defineStep } from '../define-endpoint.ts'

/** What the Worker asks for when mail comes; the API has no such operation. Who may is said by the address that it comes to. */
export const openMailStep = defineStep({ operation: 'open-mail', access: 'anyone', command: openMail })

export const takeMailStep = defineStep({ operation: 'take-mail', access: 'anyone', command: takeMail })

export const noteBounceStep = defineStep({ operation: 'note-bounce', access: 'anyone', command: noteBounce })
