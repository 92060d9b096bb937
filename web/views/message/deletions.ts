import { signal } from '@preact/signals'
import { deleteMessage } from '../../actions/changing-messages.ts'
import { t } from '../../texts/texts.ts'
import { announceBefore, attempt } from '../announcement.tsx'

/** Messages that were deleted here. The request is sent when the undo expires. */
export const leaving = signal<ReadonlySet<number>>(new Set())
/** Those that the server has not been asked to delete yet. */
const waiting = new Set<number>()

/** Deletes a message for everybody, as long as nobody takes that back while the toast is shown. */
export function deleteSoon(id: number): void {
  leaving.value = new Set([...leaving.value, id])
  waiting.add(id)
  announceBefore(t.done.deleted, {
    undo: () => {
      waiting.delete(id)
      comeBack(id)
    },
    act: () => carryOut(id),
  })
}

function carryOut(id: number, keepalive = false): void {
  // The page may have gone away, and come back.
  if (!waiting.delete(id)) return
  // A refused one reappears. Others stay hidden, since the event that removes them may arrive after the answer.
  void attempt(
    deleteMessage(id, keepalive).catch((error) => {
      comeBack(id)
      throw error
    }),
  )
}

function comeBack(id: number): void {
  leaving.value = new Set([...leaving.value].filter((one) => one !== id))
}

function carryOutAll(): void {
  for (const id of [...waiting]) carryOut(id, true)
}

// A request of a closed page does not always arrive, and phones close pages without notice.
window.addEventListener('beforeunload', carryOutAll)
window.addEventListener('pagehide', carryOutAll)
