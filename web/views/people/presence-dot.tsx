import { state, watch } from '../../chat.ts'
import { presenceOf } from '../../state/users.ts'
import { t } from '../../texts/texts.ts'
import { tip } from '../../ui/tooltip.ts'
import { now } from '../preferences.ts'

/** A dot: filled for here, half for idle, empty for away. The name is beside it. */
export function PresenceDot({ userId }: { readonly userId: number }) {
  watch(`presence ${userId}`, 'settings')
  const presence = presenceOf(state, userId, now.value)
  return (
    <span
      class={`presence presence-${presence}`}
      role="img"
      aria-label={t.presence[presence]}
      {...tip(t.presence[presence])}
    />
  )
}
