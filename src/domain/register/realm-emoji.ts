import { presentCustomEmoji } from '../emoji/present-custom-emoji.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `realm_emoji`. */
export const realmEmojiSnapshot: Snapshot = ({ sql }) => ({ realm_emoji: presentCustomEmoji(sql) })
