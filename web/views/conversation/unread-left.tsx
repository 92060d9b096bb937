import { watch } from '../../chat.ts'
import { hrefOf } from '../../navigation.ts'
import type { MessageWindow } from '../../state/windows.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { attempt } from '../announcement.tsx'
import { markRead } from '../undoable.ts'
import type { Reading } from './reading.ts'

/** Says at the end of a list what is still unread before it, which the reader has jumped over, and offers to mark that as read. */
export function UnreadLeft({
  window,
  reading,
}: {
  readonly window: MessageWindow
  readonly reading: Reading
}) {
  watch('unread')
  const left = reading.leftBehind()
  if (left.length === 0) return null
  return (
    <p class="unread-left">
      <a href={hrefOf(window.narrow, left[0])}>{t.unread(left.length)}</a>
      <Button onClick={() => void attempt(markRead(window.narrow))}>{t.conversation.markRead}</Button>
    </p>
  )
}
