import './send-button.css'
import { useState } from 'preact/hooks'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { tip } from '../../ui/tooltip.ts'
import { settings } from '../preferences.ts'
import { SendMenu } from './parts.ts'

interface SendButtonProps {
  readonly isReady: boolean
  readonly onSend: () => void
  /** At UNIX seconds; undefined: at a time that is asked for. */
  readonly onSchedule: (at?: number) => void
}

/** The button that sends, with the menu of send options beside it. */
export function SendButton({ isReady, onSend, onSchedule }: SendButtonProps) {
  const { enter_sends } = settings()
  const [anchor, setAnchor] = useState<Element>()
  return (
    <div class="compose-send-group">
      <button
        type="button"
        class="compose-send"
        aria-label={t.compose.send}
        {...tip(t.compose.send, enter_sends ? 'Enter' : 'Ctrl+Enter')}
        aria-disabled={!isReady}
        onClick={onSend}
      >
        {t.compose.send}
      </button>
      <IconButton
        icon="fold"
        class="compose-send-options"
        label={c.sendOptions}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget as Element)}
      />
      {anchor && (
        <SendMenu
          anchor={anchor}
          isReady={isReady}
          onSchedule={onSchedule}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </div>
  )
}
