import { useState } from 'preact/hooks'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { EmojiPicker } from '../emoji/lazy-picker.ts'

interface EmojiButtonProps {
  readonly disabled?: boolean
  readonly onInsert: (text: string) => void
}

/** The button that puts an emoji into a text. */
export function EmojiButton({ disabled = false, onInsert }: EmojiButtonProps) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <>
      <IconButton
        icon="emoji"
        label={t.compose.emoji}
        disabled={disabled}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget as Element)}
      />
      {anchor && (
        <EmojiPicker
          anchor={anchor}
          isForText
          onChoose={(_, text) => onInsert(`${text} `)}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </>
  )
}
