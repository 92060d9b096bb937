import type { KeptEdit } from '../../actions/kept-edits.ts'
import { sweepEdits } from '../../actions/sweep-edits.ts'
import { c, loadComposeTexts } from '../../texts/compose.ts'
import { announce } from '../announcement.tsx'
import { keepText } from '../compose/compose-state.ts'

/** Saves the edited text of a deleted message as a draft for its conversation. */
export function saveAsDraft({ text, where }: KeptEdit): void {
  if (!where) return
  keepText(where, text)
  announce(c.editedIsDeleted)
}

/** Ends edits that are kept for too long; those of messages deleted while the page was closed become drafts. */
export async function rescueEdits(): Promise<void> {
  const [gone] = await Promise.all([sweepEdits(), loadComposeTexts()])
  for (const kept of gone) saveAsDraft(kept)
}
