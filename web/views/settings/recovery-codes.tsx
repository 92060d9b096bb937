import './second-factors.css'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { saveText } from '../../ui/save-text.ts'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows new recovery codes, this once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog isOnce title={s.security.codesTitle} onClose={onClose}>
      <RecoveryCodes codes={codes} onClose={onClose} />
    </Dialog>
  )
}

/** The codes, to be copied or saved. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <>
      <p>{s.security.codesAbout}</p>
      <pre class="recovery-codes" dir="ltr">
        {text}
      </pre>
      <div class="dialog-buttons">
        <CopyButton value={text} />
        <Button onClick={() => saveText('recovery-codes.txt', text)}>{s.security.download}</Button>
        <Button kind="main" onClick={onClose}>
          {s.security.codesSaved}
        </Button>
      </div>
    </>
  )
}
