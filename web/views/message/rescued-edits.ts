import type { KeptEdit } from '../../actions/kept-edits.ts'
import { sweepEdits } from '../../actions/sweep-edits.ts'
import { c, loadComposeTexts } from '../../texts/compose.ts'
import { announce } from '../announcement.tsx'
import { keepText } from '../compose/compose-state.ts'

/** Saves the edited text of a message that can no longer have it as a draft for its conversation. */
export function saveAsDraft({ text, where }: KeptEdit, isGone = true): void {
  if (!where) return
  keepText(where, text)
  announce(isGone ? c.editedIsDeleted : c.editIsOver)
}

/** Ends edits that are kept for too long; those that nothing can save any more become drafts. */
export async function rescueEdits(): Promise<void> {
  const [ended] = await Promise.all([sweepEdits(), loadComposeTexts()])
  for (const { kept, isGone } of ended) saveAsDraft(kept, isGone)
}
