import { useEffect } from 'preact/hooks'
import { zoomLoginAddress } from '../../actions/calls.ts'
import { state, watch } from '../../chat.ts'
import { needsZoomLogin } from '../../state/calls.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface ZoomDialogProps {
  /** Called when the user is logged in at Zoom. */
  readonly onLoggedIn: () => void
  readonly onClose: () => void
}

/** The dialog that waits until the user has logged in at Zoom, in a window that it opens. */
export function ZoomDialog({ onLoggedIn, onClose }: ZoomDialogProps) {
  watch('calls')
  const address = zoomLoginAddress()
  // A browser may refuse to open it: then there is the link.
  useEffect(() => void open(address, '_blank', 'popup,width=600,height=700'), [])
  const isWaiting = needsZoomLogin(state)
  useEffect(() => {
    if (!isWaiting) onLoggedIn()
  }, [isWaiting])
  return (
    <Dialog title={c.zoom.title} onClose={onClose}>
      <p>{c.zoom.about}</p>
      <div class="dialog-buttons">
        <Button onClick={onClose}>{t.cancel}</Button>
        <a class="button button-main" href={address} target="_blank" rel="noopener noreferrer">
          {c.zoom.again}
        </a>
      </div>
    </Dialog>
  )
}
