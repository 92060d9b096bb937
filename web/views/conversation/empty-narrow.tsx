import { channelOfNarrow, conversationOfNarrow, isSearch, type Narrow } from '../../state/narrow.ts'
import { t } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'

/** Says why the view is empty, and what to do about it. */
export function EmptyNarrow({ narrow, isLost }: { readonly narrow: Narrow; readonly isLost: boolean }) {
  const conversation = conversationOfNarrow(narrow)
  const starred = narrow.some(({ operator, operand }) => operator === 'is' && operand === 'starred')
  const [icon, title, text] = isLost
    ? (['trash', t.nothing.lost, t.nothing.lostHint] as const)
    : conversation
      ? (['direct', t.nothing.conversation, t.nothing.writeFirst] as const)
      : isSearch(narrow)
        ? (['search', t.nothing.search, t.nothing.searchHint] as const)
        : starred
          ? (['star', t.nothing.starred, t.nothing.starredHint] as const)
          : channelOfNarrow(narrow) !== undefined
            ? (['hash', t.nothing.channel, t.nothing.writeFirst] as const)
            : (['feed', t.nothing.here, t.nothing.hereHint] as const)
  return (
    <Empty icon={icon} title={title}>
      <p>{text}</p>
    </Empty>
  )
}
