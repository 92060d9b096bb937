import { loadComposeTexts } from '../../texts/compose.ts'
import { loadFrameTexts } from '../../texts/frame.ts'
import { loadReadingTexts } from '../../texts/reading.ts'
import { loadSettingsTexts } from '../../texts/settings.ts'
import { loadEmoji } from '../emoji/emoji-data.ts'

/** The parts that a user may open at any moment of the day, those used most first. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  loadComposeTexts,
  () => import('../message/message-menu.tsx'),
  () => import('../conversation/channel-menu.tsx'),
  () => import('../sidebar/row-menu.tsx'),
  () => import('../message/edit-box.tsx'),
  () => import('../message/message-dialogs.tsx'),
  () => import('../people/user-card.tsx'),
  () => import('../emoji/emoji-picker.tsx'),
  loadEmoji,
  loadFrameTexts,
  loadSettingsTexts,
  () => import('../go-to/go-to.tsx'),
  () => import('../search/choices.ts'),
  loadReadingTexts,
  () => import('../search/search-results.tsx'),
  () => import('../inbox/recent-view.tsx'),
  () => import('../activity/activity-view.tsx'),
  () => import('../compose/drafts-view.tsx'),
  () => import('./own-menu.tsx'),
  () => import('./own-dialogs.tsx'),
  () => import('../compose/plus-menu.tsx'),
  () => import('../compose/send-menu.tsx'),
  () => import('../compose/list-form.tsx'),
  () => import('../compose/html-to-markdown.ts'),
  () => import('../conversation/rename-topic.tsx'),
  () => import('../sidebar/options-menu.tsx'),
  () => import('../help/help-sheet.tsx'),
]

/** Loads these parts one after the other, so that they open at once later, and without a network too; not for users who save data. */
export async function loadAhead(): Promise<void> {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  if (connection?.saveData) return
  for (const load of PARTS) await load()
}
