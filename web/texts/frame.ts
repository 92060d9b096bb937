import { texts as english } from '../../texts/compiled/en/frame.ts'
import type { FrameTexts } from '../../texts/compiled/frame.ts'
import { translated } from './texts.ts'

/** Texts of the own menu and of what Ctrl+K does, loaded with them. */
export let f: FrameTexts = english

/** Loads these texts in the page's language. Must be awaited before a view that has them is drawn. */
export async function loadFrameTexts(): Promise<void> {
  f = (await translated('frame')) ?? english
}
