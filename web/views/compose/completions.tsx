import { useEffect } from 'preact/hooks'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Completion } from './completion-list.ts'

/** No suggestion is chosen. */
export const NONE = -1

export function nextOf(chosen: number, count: number, isDown: boolean): number {
  if (chosen === NONE) return isDown ? 0 : count - 1
  return (chosen + (isDown ? 1 : count - 1)) % count
}

interface CompletionListProps {
  readonly completion: Pick<Completion, 'choices'>
  readonly chosen: number
  readonly id?: string
  readonly onTake: (index: number) => void
}

/** The suggestions for the text in a field, which keeps the focus. */
export function CompletionList({ completion, chosen, id = 'completion', onTake }: CompletionListProps) {
  useEffect(() => document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen])
  return (
    <div id={`${id}s`} class="completions" role="listbox" aria-label={t.compose.completions}>
      {completion.choices.map((choice, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
        <div
          key={choice.key}
          id={`${id}-${index}`}
          class="completion"
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(index)
          }}
        >
          {choice.avatar !== undefined && <Avatar url={choice.avatar} name={choice.label} size={20} />}
          {choice.icon && <Icon name={choice.icon} />}
          {choice.glyph && (
            <span class="reaction-emoji" aria-hidden="true">
              {choice.glyph}
            </span>
          )}
          <span class="one-line" dir="auto">
            {choice.label}
          </span>
          <span class="one-line soft small" dir="auto">
            {choice.note}
          </span>
        </div>
      ))}
    </div>
  )
}
