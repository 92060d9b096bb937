import { discard } from '../../actions/sending.ts'
import type { OutgoingMessage } from '../../state/outbox.ts'
import { t } from '../../texts/texts.ts'
import { announce } from '../announcement.tsx'
import { keepText } from './compose-state.ts'

/** Discards a message that was not sent. An undo puts its text into the box of its conversation. */
export function discardUnsent({ localId, conversation, content }: OutgoingMessage): void {
  discard(localId)
  announce(t.message.discarded, async () => keepText(conversation, content))
}
