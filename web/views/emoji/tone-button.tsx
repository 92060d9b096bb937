import { useState } from 'preact/hooks'
import { emojiFromCode } from '../../state/emoji-character.ts'
import { c } from '../../texts/compose.ts'
import { tip } from '../../ui/tooltip.ts'

/** A raised hand in each skin tone; the first has none. */
const HANDS = ['270b', '270b-1f3fb', '270b-1f3fc', '270b-1f3fd', '270b-1f3fe', '270b-1f3ff']

interface ToneButtonProps {
  readonly tone: number
  readonly onTone: (tone: number) => void
}

/** Chooses the skin tone of emoji in texts; it is kept. */
export function ToneButton({ tone, onTone }: ToneButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="emoji-tone"
        aria-expanded={isOpen}
        aria-label={`${c.emoji.skinTone}: ${c.emoji.tones[tone]}`}
        {...tip(c.emoji.skinTone)}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{emojiFromCode(HANDS[tone]!)}</span>
      </button>
      {isOpen && (
        <fieldset class="emoji-tones" aria-label={c.emoji.skinTone}>
          {HANDS.map((hand, index) => (
            <button
              key={hand}
              type="button"
              class="emoji-tone"
              aria-pressed={index === tone}
              aria-label={c.emoji.tones[index]}
              onClick={() => {
                setOpen(false)
                onTone(index)
              }}
            >
              <span aria-hidden="true">{emojiFromCode(hand)}</span>
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}
