import { state, watch } from '../../chat.ts'
import { presenceOf } from '../../state/users.ts'
import { t } from '../../texts/texts.ts'
import { tip } from '../../ui/tooltip.ts'
import { now } from '../preferences.ts'

/** A dot beside the name of somebody who is here. */
export function PresenceDot({ userId }: { readonly userId: number }) {
  watch(`presence ${userId}`, 'settings')
  if (presenceOf(state, userId, now.value) !== 'active') return null
  return <span class="presence" role="img" aria-label={t.presence.active} {...tip(t.presence.active)} />
}
