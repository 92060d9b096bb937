import { channelOfNarrow, conversationOfNarrow, isSearch, type Narrow } from '../../state/narrow.ts'
import { t } from '../../texts/texts.ts'
import { Empty } from '../../ui/empty.tsx'

/** Says why there is nothing, and what to do about it. */
export function EmptyNarrow({ narrow, isLost }: { readonly narrow: Narrow; readonly isLost: boolean }) {
  const conversation = conversationOfNarrow(narrow)
  const starred = narrow.some(({ operator, operand }) => operator === 'is' && operand === 'starred')
  const [title, text] = isLost
    ? [t.nothing.lost, t.nothing.lostHint]
    : conversation
      ? [t.nothing.conversation, t.nothing.writeFirst]
      : isSearch(narrow)
        ? [t.nothing.search, t.nothing.searchHint]
        : starred
          ? [t.nothing.starred, t.nothing.starredHint]
          : channelOfNarrow(narrow) !== undefined
            ? [t.nothing.channel, t.nothing.writeFirst]
            : [t.nothing.here, t.nothing.hereHint]
  return (
    <Empty title={title}>
      <p>{text}</p>
    </Empty>
  )
}
